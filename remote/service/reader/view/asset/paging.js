// @ts-check
// The reader's position: pages, spreads, the page number in the bar and in the address.

export const root = document.documentElement
export const main = /** @type {HTMLElement} */ (document.getElementById('pages'))
export const pages = /** @type {HTMLElement[]} */ ([...main.querySelectorAll('article')])
const first = Number(main.dataset.first), total = Number(main.dataset.total)
const place = /** @type {HTMLElement} */ (document.getElementById('place'))
const wide = matchMedia('(orientation: landscape)')
const listeners = /** @type {((numbers: number[]) => void)[]} */ ([])
let shown = first

export const text = () => root.classList.contains('text')
const fromRight = main.dir === 'rtl'
/** Returns where a page begins, in pixels of reading direction. @param {HTMLElement} one */
const offset = one => fromRight ? main.clientWidth - one.offsetLeft - one.offsetWidth : one.offsetLeft
const scrolledTo = () => fromRight ? -main.scrollLeft : main.scrollLeft
const paired = () => root.classList.contains('spread') && wide.matches && !text()

/** Returns the element of a page, if this part has it. @param {number} number */
export const page = number => pages[number - first]

/** Returns the pages of the view that contains a page. @param {number} number */
export function together(number) {
  const one = page(number)?.classList, leads = fromRight ? 'right' : 'left', follows = fromRight ? 'left' : 'right'
  if (!paired() || !one) return [number]
  return one.contains(leads) ? [number, number + 1] : one.contains(follows) ? [number - 1, number] : [number]
}

/** Returns the first page of the view. */
export const current = () => shown

/** Calls f whenever the view changes. @param {(numbers: number[]) => void} f */
export const onTurn = f => listeners.push(f)

/** @param {string} form @param {number[]} numbers */
export const words = (form, ...numbers) => form.replace(/%d/g, () => String(numbers.shift()))

function find() {
  // Positions ascend: a binary search finds the last page that begins before the middle of the view's first page.
  const edge = text() ? root.scrollTop + 90 : scrolledTo() + main.clientWidth * (paired() ? .25 : .5)
  let low = 0, high = pages.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    const at = text() ? pages[middle].offsetTop : offset(pages[middle])
    if (at <= edge) low = middle
    else high = middle - 1
  }
  return first + low
}

function tell() {
  if (!pages.length) return
  const numbers = together(shown)
  const said = numbers.length > 1 ? words(place.dataset.spread || '', ...numbers, total) : words(place.dataset.page || '', shown, total)
  if (place.textContent !== said) place.textContent = said
  const address = new URL(location.href)
  address.hash = ''
  for (const name of ['Page', 'Sharp']) address.searchParams.delete(name)
  if (numbers[0] !== 1) address.searchParams.set('Page', String(numbers[0]))
  if (address.href !== location.href) history.replaceState(null, '', address)
  for (const f of listeners) f(numbers)
}

/** Shows a page. The browser's Back undoes a jump. @param {number} number @param {{jump?: boolean}} [how] */
export function show(number, how) {
  const target = page(number)
  if (!target) return
  if (how && how.jump && !together(shown).includes(number)) history.pushState(null, '', location.href)
  put(number)
  shown = together(number)[0]
  tell()
}

/** @param {number} number */
function put(number) {
  const target = page(together(number)[0])
  if (text()) target.scrollIntoView()
  else main.scrollLeft = fromRight ? -offset(target) : offset(target)
}

/** Turns to the view at a side of the window: the next one is at the right, but in books that are read from the right. @param {1 | -1} side */
export const aside = side => turn(fromRight && !text() ? /** @type {1 | -1} */ (-side) : side)

/** Turns to the next or previous view. @param {1 | -1} step */
export function turn(step) {
  const numbers = together(shown)
  const number = step > 0 ? numbers[numbers.length - 1] + 1 : numbers[0] - 1
  if (page(number)) show(number)
}

export const begin = () => show(first), end = () => show(first + pages.length - 1)
export const atBegin = () => together(shown)[0] === first, atEnd = () => together(shown).includes(first + pages.length - 1)

/** Returns the page that the address names. */
function named() {
  const number = Number(location.hash.match(/^#p(\d+)/)?.[1] || new URL(location.href).searchParams.get('Page') || first)
  return page(number) ? number : first
}

// If the row of pages has changed its size, a scroll event does not come from the reader: the device was
// rotated, or a phone enlarged the text. The reader stays at the page.
let size = ''
function resized() {
  const now = main.offsetWidth + ' ' + main.offsetHeight
  if (now === size || root.classList.contains('zoomed')) return false
  size = now
  if (page(shown)) put(shown)
  return true
}

let asked = 0
function scrolled() {
  if (asked) return
  asked = requestAnimationFrame(() => {
    asked = 0
    if (resized()) return
    const now = find()
    if (together(now)[0] === together(shown)[0]) return
    shown = together(now)[0]
    tell()
  })
}

function arrange() {
  // A page that is alone in the window is centred: its picture and hotspots alike.
  const alone = !paired()
  root.classList.toggle('centred', alone)
  for (const one of pages) {
    const side = alone || !(one.classList.contains('left') || one.classList.contains('right')) ? 'xMid' : one.classList.contains('left') ? 'xMax' : 'xMin'
    one.querySelector('svg')?.setAttribute('preserveAspectRatio', side + 'YMid meet')
  }
}

/** Makes a change that moves all pages, and stays at the current one. @param {() => void} change */
export function keep(change) {
  const number = shown
  change()
  arrange()
  if (page(number)) show(number)
}

export function start() {
  if (!pages.length) return
  arrange()
  show(named())
  main.addEventListener('scroll', scrolled, {passive: true})
  addEventListener('scroll', () => { if (text()) scrolled() }, {passive: true})
  addEventListener('popstate', () => show(named()))
  wide.addEventListener('change', () => keep(() => {}))
  new ResizeObserver(resized).observe(main)
}
