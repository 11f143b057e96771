// @ts-check
// The text layer of a page: invisible lines over its picture, for selection and highlighting.
import { page } from './paging.js'

const svgNS = 'http://www.w3.org/2000/svg'
/** @type {Map<number, Promise<SVGElement | null>>} the layers of pages, by number */
const layers = new Map()

/** @param {string} name @param {Record<string, string | number>} attributes */
function make(name, attributes) {
  const e = document.createElementNS(svgNS, name)
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, String(value))
  return e
}

/** Returns the lines of a page, each [x, y, width, height, text, where its words begin and end] in
 * fractions, or none if they are unknown. @param {HTMLImageElement} img
 * @returns {Promise<[number, number, number, number, string, number[]?][]>} */
async function lines(img) {
  const at = new URL(img.src)
  at.pathname = at.pathname.replace(/[^/]*$/, 'Layer.ashx')
  at.searchParams.delete('ImageType')
  const answer = await fetch(at)
  if (!answer.ok) throw new Error(answer.statusText) // a later use requests it again
  return answer.json()
}

/** @param {number} number @returns {Promise<SVGElement | null>} */
async function draw(number) {
  const img = page(number)?.querySelector('img'), svg = page(number)?.querySelector('svg')
  if (!img || !svg) return null
  const wide = Number(img.getAttribute('width')), high = Number(img.getAttribute('height'))
  const layer = make('g', {class: 'layer', 'aria-hidden': 'true'})
  for (const [x, y, w, h, text, places] of await lines(img)) {
    const line = make('text', {x: x * wide, y: (y + h * .8) * high, 'font-size': h * high}), words = text.split(' ')
    const fit = (/** @type {Element} */ e, /** @type {number} */ width) => { e.setAttribute('textLength', String(width * wide)); e.setAttribute('lengthAdjust', 'spacingAndGlyphs') }
    if (places?.length === 2 * words.length) {
      words.forEach((word, i) => {
        const part = make('tspan', {x: places[2 * i] * wide})
        fit(part, places[2 * i + 1] - places[2 * i])
        part.textContent = word
        line.append(...i ? [' ', part] : [part])
      })
    } else {
      fit(line, w)
      line.textContent = text
    }
    layer.append(line)
    Object.assign(line, {box: [x * wide, y * high, w * wide, h * high]})
  }
  svg.prepend(layer)
  return layer
}

/** Returns the layer of a page, or null if it has none. @param {number} number */
export function of(number) {
  if (!layers.has(number)) layers.set(number, draw(number).catch(() => { layers.delete(number); return null }))
  return layers.get(number)
}

/** Returns the place in an element before one of its characters. @param {Node} line @param {number} index @returns {[Node, number]} */
export function before(line, index) {
  const walk = document.createTreeWalker(line, 4) // its texts
  let node = /** @type {Text} */ (walk.nextNode())
  while (index > node.length) {
    index -= node.length
    node = /** @type {Text} */ (walk.nextNode())
  }
  return [node, index]
}

let round = 0 // counts calls of clear: a mark that was requested before the last one is dropped

/** Removes all marks. */
export function clear() {
  round++
  for (const mark of document.querySelectorAll('.mark')) mark.remove()
}

/** Marks on a page what is found in its lines. @param {number} number @param {(text: string) => Iterable<[number, number]>} find */
export async function mark(number, find) {
  const mine = round
  const layer = await of(number)
  if (!layer || mine !== round) return
  const texts = /** @type {any[]} */ ([...layer.children]), words = texts.map(line => line.textContent)
  const marks = document.createDocumentFragment() // inserted at the end: after a change, locating a character needs a new layout
  let first = 0, at = 0 // the line in which the match begins, and the offset of that line; both only ascend
  let nth = 0
  for (const [start, over] of find(words.join('\n'))) {
    const hit = nth++
    while (at + words[first].length < start) at += words[first++].length + 1
    for (let i = first, from = at; from < over; from += words[i++].length + 1) {
      const begin = Math.max(start - from, 0), end = Math.min(over - from, words[i].length)
      if (begin < end) marks.append(make('rect', {class: 'mark', 'data-nth': hit, ...part(texts[i], begin, end)}))
    }
  }
  layer.before(marks)
}

/** Returns the position of a part of a line. Vertical lines are marked as a whole. @param {any} line @param {number} begin @param {number} end */
function part(line, begin, end) {
  let [x, y, width, height] = line.box
  if (width > height) {
    const first = line.getExtentOfChar(begin), last = line.getExtentOfChar(end - 1)
    if (last.x + last.width > first.x) [x, width] = [first.x, last.x + last.width - first.x]
  }
  return {x, y, width, height}
}
