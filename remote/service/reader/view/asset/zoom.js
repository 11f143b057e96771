// @ts-check
// Zoom in place: the row of pages grows, and the reader scrolls in it.
import { root, main, page, together, current, onTurn, keep, pictures } from './paging.js'
import * as layer from './layer.js'

const most = Math.max(1, Number(main.dataset.zoom) / 100)
const steps = 1.5
let zoom = 1

const listeners = /** @type {((zoom: number, most: number) => void)[]} */ ([])
/** @param {(zoom: number, most: number) => void} f */
export const onZoom = f => listeners.push(f)

/** The larger pictures of zoomed pages, each over the one that would be enlarged. @type {Map<number, HTMLImageElement>} */
const sharp = new Map()

/** Loads the text of the zoomed pages, and their larger pictures, which the service draws when they are asked for. Phones do without: their browsers keep what they decoded, and end pages that take too much. */
function load() {
  const view = zoom > 1 ? together(current()) : []
  for (const [number, over] of sharp) {
    if (view.includes(number)) continue
    sharp.delete(number)
    over.remove()
    over.src = '' // ends its request
  }
  for (const number of view) {
    layer.of(number) // with the text loaded, the mouse selects text and drags everything else
    const img = page(number)?.querySelector('img'), most = img && pictures.choice(img).match(/(\S+)Zoom(\S*) (\d+)w/)
    if (!most || innerWidth < 600 || sharp.has(number) || img.offsetWidth * devicePixelRatio <= +most[3]) continue
    const over = new Image()
    over.alt = ''
    over.src = most[1] + 'Larger' + most[2]
    over.decode().then(() => img.after(over), () => {}) // the picture below stays
    sharp.set(number, over)
  }
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
  pictures.enlarge(zoom)
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
}
