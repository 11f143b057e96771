// @ts-check
// Reports to the service which pages were shown, each for a second or longer, which links were followed, and whether
// they began a visit. Only the tab stores anything, and nothing identifies the reader.
import * as paging from './paging.js'

const shownFor = 1000, sentAfter = 5000 // milliseconds
const most = 100 // page numbers in a message
const longest = 5000 // characters of a link's address in a message
const visited = 'visited ' + location.pathname
let here = /** @type {number[]} */ ([])
let counted = new Set() // the pages of here that are counted already
let waiting = /** @type {number[]} */ ([])
let followed = /** @type {string[]} */ ([]) // links, each with the number of its page
let looking = 0, sending = 0 // timers
let told = false // this page has reported the visit

/** A tab counts as one visit, however often it loads the page. */
function begins() {
  try {
    return !told && !sessionStorage.getItem(visited)
  } catch {
    return !told // no storage in a frame of another site
  }
}

function begun() {
  told = true
  try {
    sessionStorage.setItem(visited, 'yes')
  } catch { /* as above */ }
}

function send() {
  clearTimeout(sending)
  sending = 0
  while (waiting.length || followed.length) {
    const form = new URLSearchParams(waiting.length ? {pages: waiting.slice(0, most).join()} : {}), first = begins()
    if (!waiting[most - 1] && followed.length) form.set('link', followed[0])
    if (first) form.set('new', 'true')
    if (!navigator.sendBeacon?.('Hit.ashx', form)) return // no beacons, or the browser's queue is full: retry with the next
    if (form.has('link')) followed = followed.slice(1)
    waiting = waiting.slice(most)
    if (first) begun()
  }
}

function count() {
  for (const number of here) {
    if (!counted.has(number)) waiting.push(number)
    counted.add(number)
  }
  if (!sending) sending = setTimeout(send, sentAfter)
}

/** Counts a click on a link, except for one to a page, which counts when it is shown. @param {MouseEvent} event */
function follow(event) {
  const link = /** @type {Element} */ (event.target).closest('.sheet a'), page = link?.closest('article'), to = link?.getAttribute('href')
  if (!page || !to || /^(\.\/|#p\d+$)/.test(to) || event.button > 1) return
  followed.push(page.id.slice(1) + ' ' + to.slice(0, longest))
  if (!sending) sending = setTimeout(send, sentAfter)
}

/** Starts the timer for the pages shown. Pages of a hidden tab are not shown. */
function look() {
  clearTimeout(looking)
  if (!document.hidden && here.some(number => !counted.has(number))) looking = setTimeout(count, shownFor)
}

/** @param {number[]} numbers */
function turned(numbers) {
  here = numbers.filter(paging.page)
  counted = new Set(here.filter(number => counted.has(number))) // rotating a phone shows one of two pages: it is not counted again
  look()
}

document.addEventListener('visibilitychange', () => {
  look()
  if (document.hidden) send()
})
addEventListener('pagehide', () => {
  clearTimeout(looking)
  send()
})
addEventListener('pageshow', event => {
  if (!event.persisted) return
  counted.clear() // the reader came back to the page
  look()
})
for (const kind of ['click', 'auxclick']) paging.main.addEventListener(kind, follow)
paging.onTurn(turned)
turned(paging.together(paging.current()))
