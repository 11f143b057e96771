// @ts-check
// Zoom in place: the row of pages grows, and the reader scrolls in it.
import { root, main, together, current, onTurn, keep, pictures } from './paging.js'
import * as layer from './layer.js'

const most = Math.max(1, Number(main.dataset.zoom) / 100)
const steps = 1.5
let zoom = 1

const listeners = /** @type {((zoom: number, most: number) => void)[]} */ ([])
/** @param {(zoom: number, most: number) => void} f */
export const onZoom = f => listeners.push(f)

/** Loads the text of the zoomed pages. */
function texts() {
  if (zoom === 1) return
  for (const number of together(current())) layer.of(number) // with the text loaded, the mouse selects text and drags everything else
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
  texts()
  for (const f of listeners) f(zoom, most)
}

export const larger = () => set(zoom * steps)
export const smaller = () => set(zoom / steps)
export const whole = () => set(1)

/** @param {MouseEvent} event */
export function double(event) {
  set(zoom > 1 ? 1 : 2, {x: event.clientX, y: event.clientY})
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
  onTurn(texts)
}
