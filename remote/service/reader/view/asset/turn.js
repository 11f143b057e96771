// @ts-check
// The motion from view to view: from spread to spread, a leaf turns about the spine; else, the new view comes from
// its side. A next turn ends the last one at once. A finger moves the row of pages itself: the browser does that.
import { main, page } from './paging.js'

const calm = matchMedia('(prefers-reduced-motion: reduce)')
const time = 240 // milliseconds
/** @type {HTMLElement | undefined} */
let leaf

/** @param {number} number */
const sheet = number => /** @type {HTMLElement | undefined} */ (page(number)?.querySelector('.sheet'))

/** @param {number} number */
function copy(number) {
  const img = page(number)?.querySelector('img'), of = new Image()
  of.decoding = 'sync'
  of.alt = ''
  of.src = img?.currentSrc || img?.dataset.thumb || ''
  return of
}

/** @param {HTMLElement} over @param {DOMRect} box @param {HTMLImageElement[]} faces */
function place(over, box, ...faces) {
  const one = document.createElement('div')
  for (const side of /** @type {const} */ (['left', 'top', 'width', 'height'])) one.style[side] = box[side] + 'px'
  one.append(...faces)
  over.append(one)
  return one
}

/** Returns the pages of a spread from left to right. @param {number[]} numbers */
const asSeen = numbers => main.dir === 'rtl' ? [...numbers].reverse() : numbers

/** @type {import('./paging.js').Motion} */
export function move(put, from, to) {
  leaf?.remove()
  const near = Math.abs(to[0] - from[0]) <= 2, side = (to[0] > from[0]) === (main.dir !== 'rtl') ? 1 : -1
  const old = asSeen(from), now = asSeen(to), boxes = old.map(n => sheet(n)?.getBoundingClientRect())
  put()
  if (calm.matches || !near || boxes.some(b => !b)) return
  if (from.length < 2 || to.length < 2) {
    for (const n of to) sheet(n)?.animate([{transform: `translateX(${side * 4}rem)`, opacity: .3}, {}], {duration: time - 40, easing: 'ease-out'})
    return
  }
  const [left, right] = /** @type {DOMRect[]} */ (boxes), over = document.createElement('div')
  over.id = 'leaf'
  over.setAttribute('aria-hidden', 'true')
  over.style.perspective = '2400px'
  over.style.perspectiveOrigin = `${right.left}px ${right.top + right.height / 2}px`
  place(over, side > 0 ? left : right, copy(side > 0 ? old[0] : old[1]))
  const turns = side > 0 ? place(over, right, copy(old[1]), copy(now[0])) : place(over, left, copy(old[0]), copy(now[1]))
  turns.style.transformOrigin = side > 0 ? '0 50%' : '100% 50%'
  document.body.append(over)
  leaf = over
  turns.animate([{transform: 'rotateY(0deg)'}, {transform: `rotateY(${-180 * side}deg)`}], {duration: time, easing: 'ease-in-out', fill: 'forwards'}).finished.finally(() => over.remove())
}
