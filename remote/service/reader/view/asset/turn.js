// @ts-check
// The motion from view to view: from spread to spread, a leaf turns about the spine; else, the new view comes from
// its side. A next turn ends the last one at once. A finger moves the row of pages itself: the browser does that.
import { main, page } from './paging.js'

const calm = matchMedia('(prefers-reduced-motion: reduce)')
const time = 180 // milliseconds
/** @type {Animation[]} */
let motions = []

/** @param {number} number */
const sheet = number => page(number)?.querySelector('.sheet')

/** Ends the motion. */
function end() {
  for (const one of motions) one.cancel()
  motions = []
  for (const one of main.querySelectorAll('.turns')) one.classList.remove('turns')
}

/** Returns the pages of a spread from left to right. @param {number[]} numbers */
const asSeen = numbers => main.dir === 'rtl' ? [...numbers].reverse() : numbers

/** The leaf is the pages themselves, with their shadow, fold and links, about the spine: the page that is left rises, and the
 * one behind it comes down. The spread that is left lies in place of the new one meanwhile. Each is a layer that the
 * browser's compositor moves, and nothing is drawn or decoded again. @type {import('./paging.js').Motion} */
export function move(put, from, to) {
  end()
  const near = Math.abs(to[0] - from[0]) <= 2, side = (to[0] > from[0]) === (main.dir !== 'rtl') ? 1 : -1
  const old = asSeen(from), now = asSeen(to)
  put()
  if (calm.matches || !near || !old.every(sheet) || !now.every(sheet)) return
  if (from.length < 2 || to.length < 2) {
    for (const n of to) sheet(n)?.animate([{transform: `translateX(${side * 4}rem)`, opacity: .3}, {}], {duration: time - 40, easing: 'ease-out'})
    return
  }
  const rises = side > 0 ? old[1] : old[0], falls = side > 0 ? now[0] : now[1]
  const moved = {transform: `translateX(${page(now[0]).offsetLeft - page(old[0]).offsetLeft}px)`}
  /** @param {number} degrees */
  const turned = degrees => ({transform: `perspective(2400px) rotateY(${degrees}deg)`})
  const up = turned(-90 * side), down = turned(90 * side)
  for (const n of old) motions.push(page(n).animate([moved, moved], time))
  motions.push(/** @type {Element} */ (sheet(rises)).animate([{...turned(0), easing: 'ease-in'}, up, up], time))
  motions.push(/** @type {Element} */ (sheet(falls)).animate([down, {...down, easing: 'ease-out'}, turned(0)], time))
  for (const n of [rises, falls]) page(n).classList.add('turns')
  motions[0].onfinish = end
}
