// @ts-check
// Tells the service which pages were looked at, each for a second or longer, and whether that
// began a visit. Nothing is kept but in the tab, and nothing says who it was.
import * as paging from './paging.js'

const shownFor = 1000, sentAfter = 5000 // milliseconds
const most = 100 // numbers in a message
const visited = 'visited ' + location.pathname
let here = /** @type {number[]} */ ([])
let counted = new Set() // those of here that were counted since they are shown
let waiting = /** @type {number[]} */ ([])
let looking = 0, sending = 0 // timers
let told = false // of the visit, as long as this page lives

/** A tab counts as one visit, however often it loads the page. */
function begins() {
  try {
    return !told && !sessionStorage.getItem(visited)
  } catch {
    return !told // the browser keeps nothing in a frame of another site
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
  while (waiting.length) {
    const form = new URLSearchParams({pages: waiting.slice(0, most).join()}), first = begins()
    if (first) form.set('new', 'true')
    if (!navigator.sendBeacon?.('Hit.ashx', form)) return // the browser has no room: with the next; or it has no beacons
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

/** What is hidden is not looked at. */
function look() {
  clearTimeout(looking)
  if (!document.hidden && here.some(number => !counted.has(number))) looking = setTimeout(count, shownFor)
}

/** @param {number[]} numbers */
function turned(numbers) {
  here = numbers.filter(paging.page)
  counted = new Set(here.filter(number => counted.has(number))) // a phone that is turned shows one of two
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
  counted.clear() // Back shows the page again
  look()
})
paging.onTurn(turned)
turned(paging.together(paging.current()))
