// @ts-check
// Search in the text of this part.
import { main, pages, page, show, together, current, text, onTurn, words as said } from './paging.js'
import * as layer from './layer.js'
import { load } from './text.js'
import * as zoom from './zoom.js'

const dialog = /** @type {HTMLDialogElement} */ (document.getElementById('search'))
const field = /** @type {HTMLInputElement} */ (document.getElementById('phrase'))
const told = /** @type {HTMLElement} */ (document.getElementById('hits'))
const list = /** @type {HTMLElement} */ (dialog.querySelector('ol'))
const around = 50 // characters of a snippet on either side of the match

const bar = /** @type {HTMLElement} */ (document.getElementById('found')), [back, on] = /** @type {NodeListOf<HTMLButtonElement>} */ (bar.querySelectorAll('button'))

const number = new Intl.PluralRules(dialog.lang)
let sought = ''
/** @type {Set<number>} pages that contain the phrase */
const hits = new Set()

// A letter with what belongs to it, or what divides a word.
const letters = /\u00ad\s*|.[\p{M}\u1160-\u11ff\uff9e\uff9f]*/gsu

/** Returns what people type for a text, but for its case, as the service's search does (store.Phrase). @param {string} text */
const typed = text => text.replace(/\u00ad\s*|[\p{Cf}\p{VS}]/gu, '').replace(/[\p{Pd}−]/gu, '-').replace(/[‘’‛ʼ′´]/g, "'").replace(/[“”„‟″]/g, '"').normalize('NFKC')

/** Yields where a phrase begins and ends in a text, with any white space between its words, and within them what the
 * expression between has. @param {string} text @param {string} phrase @returns {Generator<[number, number]>} */
function* matches(text, phrase, between = '') {
  const words = typed(phrase).trim().split(/\s+/).map(word => [...word].map(c => `\\u{${c.codePointAt(0)?.toString(16)}}`).join(between))
  if (!words[0]) return
  let all = ''
  /** @type {[number, number][]} where each unit of all comes from */
  const from = []
  for (const {0: letter, index} of text.matchAll(letters)) {
    const plain = letter.length > 1 || letter > '~' ? typed(letter) : letter
    for (let i = plain.length; i--;) from.push([index, index + letter.length])
    all += plain
  }
  // with the flags i and u, an expression uses Unicode's simple case folding
  for (const {0: found, index} of all.matchAll(new RegExp(words.join('\\s+'), 'giu'))) yield [from[index][0], from[index + found.length - 1][1]]
}

/** Returns the element with a page's text, if the text is loaded. @param {HTMLElement} article */
const words = article => article.querySelector('.words > p:not([lang])')

/** Finds the pages with a phrase. @param {string} phrase */
function find(phrase) {
  sought = phrase
  hits.clear()
  list.replaceChildren()
  if (!phrase.trim()) {
    told.textContent = ''
    return
  }
  for (const article of pages) {
    const all = words(article)?.textContent || ''
    for (const [begin, end] of matches(all, phrase)) {
      hits.add(Number(article.id.slice(1)))
      list.append(hit(article, all, begin, end))
      break
    }
  }
  const said = hits.size ? counted() : told.dataset.none || ''
  const whole = pages.length >= Number(main.dataset.total) && !main.querySelector('.elsewhere, .later')
  told.textContent = whole ? said : said + ' ' + told.dataset.partly
}

/** Says how many pages have the phrase. */
function counted() {
  const forms = JSON.parse(told.dataset.found || '')
  return said(forms[number.select(hits.size)] ?? forms.other, hits.size)
}

/** @param {HTMLElement} article @param {string} all @param {number} begin @param {number} end */
function hit(article, all, begin, end) {
  const item = document.createElement('li'), link = document.createElement('a'), place = document.createElement('b'), snippet = document.createElement('span'), mark = document.createElement('mark')
  link.href = '#' + article.id
  place.textContent = article.querySelector('h2')?.textContent || ''
  place.lang = dialog.lang
  mark.textContent = all.slice(begin, end)
  // it begins and ends with words, in languages that have blanks between them
  const before = begin > around ? '… ' + all.slice(begin - around, begin).replace(/^\S*\s+(?=\S)/, '') : all.slice(0, begin)
  const after = end + around < all.length ? all.slice(end, end + around).replace(/\s+\S*$/, '') + ' …' : all.slice(end)
  snippet.append(before, mark, after)
  snippet.lang = document.documentElement.lang
  snippet.dir = 'auto'
  link.append(place, ' ', snippet)
  item.append(link)
  return item
}

/** Marks the phrase on the pages shown. The text view is marked as a whole, by markText. @param {number[]} numbers */
function mark(numbers) {
  layer.clear()
  if (text()) return
  for (const number of numbers) if (hits.has(number)) layer.mark(number, text => matches(text, sought, '(?:-?\\n)?')) // words of a layer have line breaks
}

function markText() {
  if (!('highlights' in CSS)) return
  const marks = new Highlight()
  for (const number of hits) {
    const node = words(page(number))?.firstChild
    if (!node) continue
    for (const [begin, end] of matches(node.textContent || '', sought)) {
      marks.add(new StaticRange({startContainer: node, startOffset: begin, endContainer: node, endOffset: end}))
    }
  }
  CSS.highlights.set('found', marks)
}

/** Says in the bar of hits which one is shown. @param {number[]} numbers */
function tell(numbers) {
  const all = [...hits], at = all.findIndex(number => numbers.includes(number)), place = bar.querySelector('p')
  bar.hidden = !all.length
  back.disabled = !(all[0] < numbers[0])
  on.disabled = !(all[all.length - 1] > numbers[numbers.length - 1])
  if (place) place.textContent = at < 0 ? counted() : said(bar.dataset.hit, at + 1, all.length)
}

bar.addEventListener('click', event => {
  const step = Number(/** @type {Element} */ (event.target).closest('button')?.dataset.step ?? NaN), numbers = together(current()), all = [...hits]
  const to = step > 0 ? all.find(number => number > numbers[numbers.length - 1]) : step < 0 ? all.reverse().find(number => number < numbers[0]) : 0
  if (to) {
    zoom.whole()
    show(to, {jump: true})
  } else if (step === 0) {
    find('')
    layer.clear()
    bar.hidden = true
    main.focus()
  }
})

/** Opens the dialog, with the last results. */
export function open() {
  dialog.showModal()
  field.focus() // an attribute would be an error in a frame
  field.select()
}

/** Finds a phrase, and marks it on the pages shown. @param {string} phrase */
async function seek(phrase) {
  if (main.querySelector('.later')) await load().catch(() => { /* search the text that is loaded */ })
  find(phrase)
  if (text() || main.querySelector('.plain')) markText()
  if (!text()) mark(together(current()))
  tell(together(current()))
}

/** Marks a phrase without the dialog. @param {string} phrase */
export function highlight(phrase) {
  field.value = phrase
  seek(phrase)
}

dialog.querySelector('#find')?.addEventListener('submit', event => {
  event.preventDefault()
  seek(field.value)
})
dialog.addEventListener('click', event => {
  const link = /** @type {Element} */ (event.target).closest('a')
  if (event.target === dialog) dialog.close()
  if (!link) return
  event.preventDefault()
  const number = Number(link.hash.slice(2))
  dialog.close()
  zoom.whole()
  show(number, {jump: true})
  main.focus()
})
onTurn(mark)
onTurn(tell)
