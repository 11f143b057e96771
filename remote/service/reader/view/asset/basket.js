// @ts-check
// The basket. Only this browser stores it, by paper. An order sends products and amounts, and
// the answer says how the browser hands the order over to the shop.
import { root } from './paging.js'
import { crop, format, learn, stepper } from './item.js'

/** @param {string} id @returns {any} */
const element = id => document.getElementById(id)
const dialog = element('basket'), words = JSON.parse(dialog.querySelector('script').textContent), list = dialog.querySelector('ol'), told = element('told'), sum = element('sum')
const cart = element('cart'), buttons = [...dialog.querySelectorAll('[data-checkout]')], done = element('done')

/** @typedef {import('./item.js').Place} Place */
/** @typedef {{id: string, name: string, price: string, amount: number, place?: Place}} Line */
/** @type {{key: string, lines: Line[]}} */
let basket = {key: '', lines: []}
const place = 'basket-' + dialog.dataset.paper
let busy = false // an order is in progress

/** Returns a random UUID. Each state of the basket has its own key, so an order that is sent twice counts once. */
function newKey() {
  const b = crypto.getRandomValues(new Uint8Array(16))
  b[6] = b[6] & 15 | 64
  b[8] = b[8] & 63 | 128
  return [...b].map(n => n.toString(16).padStart(2, '0')).join('').replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Reports whether a line is valid: the browser's storage may contain anything. @param {any} l @param {number} i @param {any[]} all */
const valid = (l, i, all) => typeof l?.id === 'string' && l.id && typeof l.name === 'string' && typeof l.price === 'string' && /^\d{1,12}(\.\d{1,6})?$/.test(l.price) &&
  Number.isInteger(l.amount) && l.amount > 0 && l.amount <= 9999 && all.findIndex(other => other?.id === l.id) === i

/** @param {any} place */
const located = place => Array.isArray(place) && place.length === 5 && place.every(n => n >= 0 && n < 1e6) && place[3] > 0 && place[4] > 0

function load() {
  try {
    const kept = JSON.parse(localStorage.getItem(place) || '')
    basket = {key: kept.key, lines: kept.lines.filter(valid)}
    for (const l of basket.lines) {
      if (!located(l.place)) delete l.place
      learn(l.place?.[0], l.price)
    }
    // A changed basket is a new order and needs a new key.
    if (basket.lines.length < kept.lines.length || !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(kept.key)) changed()
  } catch { /* no basket, a damaged one, or no storage: the basket then lasts as long as the page */ }
}

function changed() {
  basket.key = newKey()
  try {
    localStorage.setItem(place, JSON.stringify(basket))
  } catch { /* see load */ }
  show()
}

const digits = 6
/** @param {string} price */
function exact(price) {
  const [whole, part = ''] = price.split('.')
  return BigInt(whole + part.padEnd(digits, '0'))
}
/** @param {bigint} n */
function money(n) {
  const text = String(n).padStart(digits + 1, '0')
  const part = text.slice(-digits).replace(/0+$/, '').padEnd(2, '0')
  const [before, point, after] = format ?? ['', words.point, ' ' + words.currency]
  return (before + text.slice(0, -digits) + point + part + after).trim()
}

/** @param {string} tag @param {string} [text] */
function make(tag, text) {
  const e = document.createElement(tag)
  if (text !== undefined) e.textContent = text
  return /** @type {any} */ (e)
}

/** @type {Map<string, HTMLElement | undefined>} the pictures of lines, which stay while the lines around them change */
const crops = new Map()
/** @param {Line} line */
function picture(line) {
  const key = line.id + ' ' + line.place
  if (!crops.has(key)) crops.set(key, crop(line.place, 80))
  return crops.get(key) ?? make('span')
}

/** @param {Line} line */
function row(line) {
  const item = make('li'), name = make('b', line.name), amount = make('input'), remove = make('button', '×'), what = make('div')
  name.lang = root.lang
  name.dir = 'auto'
  what.append(name, make('small', line.id))
  Object.assign(amount, {type: 'number', min: 1, max: 9999, required: true, value: line.amount})
  amount.setAttribute('aria-label', words.amount + ': ' + line.name)
  amount.addEventListener('change', () => {
    line.amount = Math.min(9999, Math.max(1, Math.round(amount.valueAsNumber) || 1))
    changed()
  })
  remove.type = 'button'
  remove.setAttribute('aria-label', words.remove.replace('%s', () => line.name))
  remove.addEventListener('click', () => {
    basket.lines = basket.lines.filter(l => l !== line)
    changed()
    dialog.querySelector('h2').focus()
  })
  item.append(picture(line), what, stepper(amount), make('span', cost(line)), remove)
  return item
}

/** @param {Line} line */
const cost = line => money(exact(line.price) * BigInt(line.amount))

function show() {
  const active = [...list.querySelectorAll('input')].indexOf(document.activeElement)
  list.replaceChildren(...basket.lines.map(row))
  if (active >= 0) list.querySelectorAll('input')[active]?.focus()
  const none = !basket.lines.length
  sum.textContent = none ? words.empty : words.total + ': ' + money(basket.lines.reduce((n, l) => n + exact(l.price) * BigInt(l.amount), 0n))
  element('note').hidden = none
  for (const b of buttons) {
    b.hidden = none
    b.disabled = busy || words.preview !== undefined
  }
  cart.querySelector('span').textContent = none ? '' : String(basket.lines.reduce((n, l) => n + l.amount, 0))
}

/** Puts the product of a form into the basket. @param {HTMLFormElement} form */
export function put(form) {
  const data = new FormData(form), kept = form.closest('section')?.dataset.place, id = String(data.get('productId')), price = String(data.get('price')), amount = Number(data.get('amount'))
  const place = kept && JSON.parse(kept), name = form.closest('section')?.querySelector('h4')?.textContent || id
  const line = basket.lines.find(l => l.id === id)
  if (line) Object.assign(line, {name, price, place, amount: Math.min(9999, line.amount + amount)})
  else if (basket.lines.length < 200) basket.lines.push({id, name, price, amount, place})
  done.hidden = true
  changed()
  open()
  const full = !basket.lines.some(l => l.id === id)
  const [before, behind] = words.taken.split('%s')
  if (full) told.textContent = words.long
  else told.replaceChildren(before, make('bdi', name), behind, words.preview ? ' ' + words.preview : '')
}

function open() {
  told.textContent = words.preview || ''
  for (const other of document.querySelectorAll('dialog[open]')) /** @type {HTMLDialogElement} */ (other).close()
  dialog.showModal()
}

/** Reads the service's answer. An answer of anything else, such as a proxy, says nothing about the
 * order. The basket then keeps its key, so another attempt is the same order.
 * @param {string} text @param {number} status */
function understood(text, status) {
  try {
    const answer = JSON.parse(text)
    if (answer.refused || answer.orderId && answer.handover) return answer
  } catch { /* no JSON */ }
  /** @type {Record<number, string | undefined>} */
  const known = {404: words.gone, 410: words.gone, 413: words.long}
  return {refused: (known[status] || words.broken || '').replace('%d', String(status))}
}

/** @param {string} type */
async function order(type) {
  const form = new URLSearchParams({checkoutType: type, key: basket.key})
  /** @type {Line[]} */
  const sent = basket.lines.map(l => ({...l}))
  for (const l of sent) {
    form.append('productId', l.id)
    form.append('price', l.price)
    form.append('amount', String(l.amount))
  }
  busy = true
  for (const b of buttons) b.disabled = true
  let answer
  try {
    const reply = await fetch('Order.ashx' + words.query, {method: 'POST', body: form, headers: {Accept: 'application/json'}})
    answer = understood(await reply.text(), reply.status)
  } catch {
    answer = {refused: words.unsure}
  }
  busy = false
  for (const b of buttons) b.disabled = false
  told.textContent = answer.refused || ''
  if (answer.prices) correct(answer.prices)
  if (answer.orderId) finish(answer, sent)
}

/** Updates the basket to the current prices. @param {Record<string, string>} prices */
function correct(prices) {
  for (const l of basket.lines) l.price = Object.hasOwn(prices, l.id) && prices[l.id] || l.price
  basket.lines = basket.lines.filter(l => prices[l.id] !== '')
  changed()
}

/** Shows the step that is left, and goes there. The reader does not thank: nobody can know whether a message was sent.
 * The ordered amounts leave the basket, to which the reader may have added since. @param {any} answer @param {Line[]} sent */
function finish(answer, sent) {
  const {type, to, basket: xml, text, shop} = answer.handover
  for (const l of basket.lines) l.amount -= sent.find(s => s.id === l.id)?.amount ?? 0
  basket.lines = basket.lines.filter(l => l.amount > 0)
  changed()
  const next = make(xml || !to ? 'button' : 'a', words.hands[type]), form = make('form'), field = make('input'), sold = make('ol')
  next.className = 'button go'
  if (xml) {
    Object.assign(form, {method: 'post', action: to})
    Object.assign(field, {type: 'hidden', name: 'basket', value: xml})
    form.append(field, next)
  } else if (to) next.href = to
  else Object.assign(next, {type: 'button', onclick: paper})
  if (/^https:/.test(next.href || '')) Object.assign(next, {target: '_blank', rel: 'noopener'})
  for (const l of sent) {
    const line = make('li')
    line.append(make('span', l.amount + ' × ' + l.name + ' (' + l.id + ')'), make('span', cost(l)))
    sold.append(line)
  }
  const number = Object.assign(make('p', words.ordered.replace('%s', answer.orderId)), {role: 'status'}), total = Object.assign(make('p', words.total + ': ' + money(exact(answer.total))), {className: 'total'})
  const back = Object.assign(make('button', words.back), {type: 'button', onclick: () => dialog.close()})
  done.replaceChildren(make('h3', words.step), make('p', words.thens[type]), xml ? form : next, number, sold, total, ...to && !xml ? [byHand(shop)] : [], copies(text, !!to), back)
  done.hidden = false
  next.focus()
  next.click()
}

/** For whoever has no program for the message. @param {string | undefined} shop how it is reached */
function byHand(shop) {
  const told = make('p', words.byHand)
  if (shop) told.append(' ', make('b', shop))
  return told
}

/** Has buttons that copy the order, and print it. @param {string} text @param {boolean} prints */
function copies(text, prints) {
  const row = make('p'), copy = make('button', words.copy), copied = Object.assign(make('span'), {role: 'status'})
  row.className = 'kept'
  copy.type = 'button'
  copy.addEventListener('click', async () => {
    const {copyText} = await import('./share.js')
    copied.textContent = await copyText(text, row) ? words.copied : ''
  })
  row.append(copy, ...prints ? [Object.assign(make('button', words.print), {type: 'button', onclick: paper})] : [], copied)
  return row
}

/** Prints the order in place of the pages. */
function paper() {
  root.classList.add('ordered')
  addEventListener('afterprint', () => root.classList.remove('ordered'), {once: true})
  print()
}

/** Opens the basket or, as long as it is empty, the last order. */
export function look() {
  done.hidden = basket.lines.length > 0 || !done.firstChild
  show()
  open()
}

load()
show()
for (const b of buttons) b.addEventListener('click', () => order(b.dataset.checkout))
addEventListener('storage', event => {
  if (event.key !== place) return
  load()
  show()
})
addEventListener('pageshow', event => {
  if (!event.persisted) return
  load() // a page from the back/forward cache has missed changes
  show()
})
dialog.addEventListener('click', /** @param {MouseEvent} event */ event => {
  if (event.target === dialog) dialog.close()
})
