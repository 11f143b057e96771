// @ts-check
// Selecting text on the pictures. This script handles the mouse. For a long press it only loads
// the text: the browser itself then selects.
import { root } from './paging.js'
import * as layer from './layer.js'

/** @param {Element} article */
const textOf = article => layer.of(Number(article.id.slice(1)))

/** Returns the place in a page's text that is nearest to a point of the window. @param {Element} article @param {number} clientX @param {number} clientY
 * @returns {Promise<[Node, number] | undefined>} */
async function nearest(article, clientX, clientY) {
  const text = /** @type {any} */ (await textOf(article)), m = text?.getScreenCTM()?.inverse()
  if (!m || !text.firstChild) return
  const {x, y} = new DOMPoint(clientX, clientY).matrixTransform(m)
  /** @param {any} line */
  const far = ({box: [left, top, width, height]}) => Math.max(left - x, x - left - width, 0) + 8 * Math.max(top - y, y - top - height, 0)
  let line = text.firstChild, least = Infinity
  for (const one of text.children) {
    const off = far(one)
    if (off < least) [line, least] = [one, off]
  }
  let low = 0, high = line.getNumberOfChars() // the first character whose middle is not before the point
  while (low < high) {
    const mid = (low + high) >> 1, at = line.getExtentOfChar(mid)
    if (at.x + at.width / 2 < x) low = mid + 1
    else high = mid
  }
  return layer.before(line, low)
}

/** Selects from a point to the mouse, until its button is released. @param {Element} article @param {MouseEvent} from @param {MouseEvent} now */
export async function drag(article, from, now) {
  let last = now, ended = false
  const anchor = nearest(article, from.clientX, from.clientY)
  async function extend() {
    const here = last, begin = await anchor
    const over = document.elementFromPoint(here.clientX, here.clientY)?.closest('article') || article
    const end = await nearest(over, here.clientX, here.clientY) || await nearest(article, here.clientX, here.clientY)
    if (!begin || !end || here !== last) return
    root.classList.add('selecting')
    getSelection()?.setBaseAndExtent(...begin, ...end)
  }
  /** @param {MouseEvent} event */
  const move = event => {
    if (!event.buttons) return up() // released outside the window
    last = event
    extend()
  }
  const up = () => { removeEventListener('mousemove', move); ended = true }
  addEventListener('mousemove', move)
  addEventListener('mouseup', up, {once: true})
  if (!now.buttons && !ended) up()
  await extend()
}

/** Lets the browser find the text of a page under a finger. @param {Element} article */
export async function touch(article) {
  if (await textOf(article)) root.classList.add('selecting')
}

const selected = () => {
  const s = getSelection()
  return s && !s.isCollapsed && s.anchorNode?.parentElement?.closest('.layer') ? s : null
}

document.addEventListener('selectionchange', () => {
  if (!selected()) root.classList.remove('selecting')
})

// Only the lines are copied, nothing that lies between them in the page.
document.addEventListener('copy', event => {
  const s = selected()
  if (!s || !event.clipboardData) return
  const range = s.getRangeAt(0), lines = [...range.cloneContents().querySelectorAll('text')].map(line => line.textContent)
  event.clipboardData.setData('text/plain', lines.length ? lines.filter(Boolean).join('\n') : range.toString())
  event.preventDefault()
})
