// @ts-check
// Products: their pictures, which are parts of their pages, the dialog that shows one, and the field for an amount.
import { page, pictures } from './paging.js'

// Their style is loaded with this script: no first view needs it.
const style = document.createElement('link')
style.rel = 'stylesheet'
style.href = new URL('./shop.css', import.meta.url).href
document.head.append(style)
await new Promise(done => { style.onload = style.onerror = done })

/** @typedef {[number, number, number, number, number]} Place number of a page; left, top, width and height in fractions of it */

/** Returns the place of a product, with what stands around it if its spot is as small or flat as a line of text. @param {SVGAElement} link @returns {Place} */
function around(link) {
  const {width: w, height: h} = /** @type {SVGSVGElement} */ (link.ownerSVGElement).viewBox.baseVal
  const spot = /** @type {SVGGraphicsElement} */ (link.querySelector('rect, polygon')).getBBox()
  const wide = Math.min(w, Math.max(spot.width * 1.06, spot.height * .8, w * .3)), high = Math.min(h, Math.max(spot.height * 1.06, wide * .75))
  /** @param {number} middle @param {number} size @param {number} all */
  const from = (middle, size, all) => Math.min(all - size, Math.max(0, middle - size / 2)) / all
  const place = [from(spot.x + spot.width / 2, wide, w), from(spot.y + spot.height / 2, high, h), wide / w, high / h]
  return /** @type {Place} */ ([Number(link.closest('article')?.id.slice(1)), ...place.map(n => Math.round(n * 1e4) / 1e4)])
}

/** Returns the picture of a place, this many pixels wide, if this part of the paper has its page. @param {Place | undefined} place @param {number} width */
export function crop(place, width) {
  const of = place && page(place[0])?.querySelector('img')
  if (!of) return
  const [, x, y, w, h] = place, frame = document.createElement('span'), img = new Image()
  frame.className = 'crop'
  frame.style.setProperty('--ratio', String(w * Number(of.getAttribute('width')) / (h * Number(of.getAttribute('height')))))
  Object.assign(img, {alt: '', loading: 'lazy', sizes: Math.ceil(width / w) + 'px', srcset: pictures.of(of)?.srcset})
  Object.assign(img.style, {width: 100 / w + '%', height: 100 / h + '%', left: -100 * x / w + '%', top: -100 * y / h + '%'})
  frame.append(img)
  return frame
}

/** @type {[string, string, string] | undefined} how the pages print prices: what is before them, between whole and part, and behind */
export let format

/** Finds out from the text of a page how it prints a price. @param {number | undefined} number @param {string} price */
export function learn(number, price) {
  const [whole, part = ''] = price.split('.'), text = number && page(number)?.querySelector('.said')?.textContent
  const found = text && text.match(new RegExp(`(?<!\\d)(\\p{Sc}\\s?)?${whole}([.,])${part.padEnd(2, '0')}(?!\\d)(\\s?(?:\\p{Sc}|kr\\b\\.?))?`, 'u'))
  if (found && (found[1] || found[3])) format = [found[1] ?? '', found[2], found[3] ?? '']
}

/** Puts buttons for less and more around the field of an amount. Keys change the field itself. @param {HTMLInputElement} amount */
export function stepper(amount) {
  const all = document.createElement('span')
  all.className = 'stepper'
  /** @param {string} sign @param {1 | -1} by */
  const button = (sign, by) => {
    const b = document.createElement('button')
    Object.assign(b, {type: 'button', tabIndex: -1, textContent: sign})
    b.setAttribute('aria-hidden', 'true')
    b.addEventListener('mousedown', event => event.preventDefault()) // the focus stays
    b.addEventListener('click', () => {
      if (by > 0) amount.stepUp()
      else amount.stepDown()
      amount.dispatchEvent(new Event('change'))
    })
    return b
  }
  all.append(button('−', -1), amount, button('+', 1))
  return all
}

/** Shows the product of a spot. @param {SVGAElement} link */
export function show(link) {
  const of = /** @type {HTMLElement} */ (document.getElementById((link.getAttribute('href') || '').slice(1)))
  const item = /** @type {HTMLElement} */ (of.cloneNode(true)), dialog = /** @type {HTMLDialogElement} */ (document.getElementById('item'))
  const place = around(link), amount = /** @type {HTMLInputElement | null} */ (item.querySelector('[name=amount]')), picture = crop(place, 360)
  const price = amount?.form?.querySelector('[name=price]'), cost = item.querySelector('.price')
  if (price && cost) {
    const {value} = /** @type {HTMLInputElement} */ (price), [whole, part = ''] = value.split('.')
    learn(place[0], value)
    if (format) cost.textContent = format[0] + whole + format[1] + part.padEnd(2, '0') + format[2]
  }
  item.removeAttribute('id')
  item.dataset.place = JSON.stringify(place)
  amount?.parentElement?.append(stepper(amount))
  dialog.querySelector('div')?.replaceChildren(...picture ? [picture] : [], item)
  dialog.showModal()
  dialog.querySelector('div')?.focus()
}
