// @ts-check
// Zoom in place: the row of pages grows, and the reader scrolls in it.
import { root, main, page, together, current, onTurn, keep, pictures } from './paging.js'
import * as layer from './layer.js'

const most = Math.max(1, Number(main.dataset.zoom) / 100)
const steps = 1.5, view = /** @type {VisualViewport} */ (window.visualViewport) // a pinch is the browser's own zoom
let zoom = 1

const listeners = /** @type {((zoom: number, most: number) => void)[]} */ ([])
/** @param {(zoom: number, most: number) => void} f */
export const onZoom = f => listeners.push(f)

/** The tiles over the pictures of zoomed pages, which the service draws when they are asked for. Only those that are seen
 * are there: browsers of phones end pages that take too much memory. @type {Map<string, HTMLImageElement>} */
const tiles = new Map()

/** Returns which of a page's rows or columns of tiles are seen. @param {number} times how many there are @param {number} from where the page begins @param {number} size @param {number} low @param {number} high */
function part(times, from, size, low, high) {
  const first = Math.max(0, Math.floor((low - from) / size * times)), after = Math.min(times, Math.ceil((high - from) / size * times))
  return [...Array(Math.max(0, after - first)).keys()].map(i => first + i)
}

const tile = .8 // the size of a tile in pictures of the type Zoom
const grids = [2, 4, 6, 8]

/** Loads the text of the zoomed pages, and the tiles that are seen of them: at most 1.3 pixels of the screen for one of theirs. */
function load() {
  const larger = zoom > 1 || view.scale > 1.05, seen = new Set(), box = main.getBoundingClientRect()
  for (const number of larger ? together(current()) : []) {
    layer.of(number) // with the text loaded, the mouse selects text and drags everything else
    const under = page(number)?.querySelector('img'), largest = pictures.of(under)?.largest
    if (!under || !largest) continue
    const from = new URL(largest.address, location.href)
    if (from.searchParams.get('ImageType') !== 'Zoom') continue // it has no tiles
    const at = under.getBoundingClientRect(), enlarged = at.width * devicePixelRatio * view.scale / largest.width
    const rows = (/** @type {number} */ n) => part(n, at.top, at.height, Math.max(box.top, view.offsetTop), Math.min(box.bottom, view.offsetTop + view.height))
    const columns = (/** @type {number} */ n) => part(n, at.left, at.width, Math.max(box.left, view.offsetLeft), Math.min(box.right, view.offsetLeft + view.width))
    const wanted = enlarged > 1 ? grids.find(n => enlarged <= 1.3 * n * tile) ?? 8 : 0
    for (const times of grids.filter(n => n <= wanted)) for (const row of rows(times)) for (const column of columns(times)) {
      const name = 'Tile' + times + column + row
      seen.add(number + name)
      if (tiles.has(number + name) || times < wanted) continue // smaller ones that are there stay below
      from.searchParams.set('ImageType', name)
      const img = Object.assign(new Image(), {alt: '', className: 'tile', src: from.href})
      for (const [side, n] of Object.entries({left: column, top: row, width: 1, height: 1})) img.style.setProperty(side, 100 * n / times + '%')
      tiles.set(number + name, img)
      show(number + name, under)
    }
  }
  for (const [key, img] of tiles) {
    if (seen.has(key)) continue
    tiles.delete(key)
    img.remove()
    img.src = '' // ends its request
  }
}

/** Shows a tile once it is decoded. A service that has much to do is asked again, later each time; from the second time on, the
 * picture below has to be as large as it can be until a tile comes. @param {string} key @param {HTMLElement} under */
function show(key, under, wait = 500) {
  const img = /** @type {HTMLImageElement} */ (tiles.get(key)), wanted = () => tiles.get(key) === img
  /** @param {boolean} come */
  const told = come => {
    if (pictures.tiled === come) return
    pictures.tiled = come
    pictures.show()
  }
  img.decode().then(() => {
    if (!wanted()) return
    under.parentElement?.querySelector('svg')?.before(img)
    told(true)
  }, () => {
    if (!wanted()) return
    if (wait > 500) told(false)
    if (wait < 100_000) setTimeout(() => {
      if (!wanted()) return
      img.src = img.src
      show(key, under, 2 * wait)
    }, wait)
  })
}

let resting = 0
/** Loads what is seen, once it rests. */
export function moved() {
  clearTimeout(resting)
  resting = setTimeout(() => {
    if (pictures.zoom !== zoom * view.scale) pictures.enlarge(zoom * view.scale)
    load()
  }, 100)
}

/** Sets the zoom; the point of the window stays where it is. @param {number} wanted @param {{x: number, y: number}} [at] */
export function set(wanted, at) {
  wanted = Math.min(most, Math.max(1, wanted))
  if (wanted < 1.05) wanted = 1
  if (wanted === zoom) return
  const box = main.getBoundingClientRect()
  const from = main.dir === 'rtl' ? box.right : box.left // where the row begins
  const x = (at ? at.x : box.left + box.width / 2) - from, y = at ? at.y - box.top : box.height / 2
  const factor = wanted / zoom
  const left = (main.scrollLeft + x) * factor - x, top = (main.scrollTop + y) * factor - y
  const change = () => {
    zoom = wanted
    root.style.setProperty('--zoom', String(zoom))
    root.classList.toggle('zoomed', zoom > 1)
  }
  if (wanted === 1) keep(change)
  else {
    change()
    main.scrollTo({left, top, behavior: 'instant'})
  }
  pictures.enlarge(zoom * view.scale)
  load()
  for (const f of listeners) f(zoom, most)
}

export const larger = () => set(zoom * steps)
export const smaller = () => set(zoom / steps)
export const whole = () => set(1)

/** @param {MouseEvent} event */
export function double(event) {
  set(zoom > 1 ? 1 : 2, {x: event.clientX, y: event.clientY})
}

let wished = 1, rolled = 0

/** Enlarges by the wheel, whose steps may each be smaller than the smallest zoom. @param {WheelEvent} event @param {number} by pixels */
export function wheel(event, by) {
  if (event.timeStamp - rolled > 300) wished = zoom
  rolled = event.timeStamp
  wished = Math.min(most, Math.max(1, wished * Math.exp(-Math.max(-25, Math.min(25, by)) / 100)))
  set(wished, {x: event.clientX, y: event.clientY})
}

/** Drags with the mouse; touch scrolls by itself. @param {PointerEvent} event */
function drag(event) {
  if (zoom === 1 || event.pointerType !== 'mouse' || event.button !== 0 || /** @type {Element} */ (event.target).closest('a, .layer')) return
  event.preventDefault()
  const from = {x: main.scrollLeft + event.clientX, y: main.scrollTop + event.clientY}
  /** @param {PointerEvent} e */
  const move = e => main.scrollTo({left: from.x - e.clientX, top: from.y - e.clientY, behavior: 'instant'})
  const end = () => { removeEventListener('pointermove', move); removeEventListener('pointerup', end) }
  addEventListener('pointermove', move)
  addEventListener('pointerup', end)
}

export function start() {
  main.addEventListener('pointerdown', drag)
  onTurn(load)
  main.addEventListener('scroll', moved, {passive: true})
  for (const kind of ['scroll', 'resize']) view.addEventListener(kind, moved)
}
