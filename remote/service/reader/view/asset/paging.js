// @ts-check
// The reader's position: pages, spreads, the page number in the bar and in the address; and the pictures of the
// pages, which depend on it. They are in one file because each file is a request of the first view.

export const root = document.documentElement
export const main = /** @type {HTMLElement} */ (document.getElementById('pages'))
export const pages = /** @type {HTMLElement[]} */ ([...main.querySelectorAll('article')])
const first = Number(main.dataset.first)
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

/** Returns what a page is called. @param {number} number */
export const name = number => page(number)?.dataset.label ?? String(number)

/** @param {string | undefined} form @param {(number | string)[]} numbers */
export const words = (form = '', ...numbers) => form.replace(/%d/g, () => String(numbers.shift()))

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
  const said = words(place.dataset[numbers[1] ? 'spread' : 'page'], ...numbers.map(name), ...numbers)
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
  const from = together(shown), to = together(number)
  if (motion && from[0] !== to[0] && !text() && !root.classList.contains('zoomed')) motion(() => put(number), from, to)
  else put(number)
  shown = to[0]
  tell()
}

/** @typedef {(put: () => void, from: number[], to: number[]) => void} Motion */
/** @type {Motion | undefined} */
let motion
/** Lets f move from view to view. @param {Motion} f */
export const onMove = f => { motion = f }

/** @param {number} number */
function put(number) {
  const target = page(together(number)[0])
  if (text()) return target.scrollIntoView()
  main.scrollLeft = fromRight ? -offset(target) : offset(target)
  expected = Math.abs(main.scrollLeft)
  if (!root.classList.contains('zoomed')) return
  // Larger than the window, a page is read from its corner.
  const at = (target.querySelector('.sheet') ?? target).getBoundingClientRect(), box = main.getBoundingClientRect()
  main.scrollBy({left: fromRight ? at.right - box.right + 12 : at.left - box.left - 12, top: at.top - box.top - 12, behavior: 'instant'})
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

let asked = 0, expected = -1 // where the last turn has scrolled to
function scrolled() {
  if (asked || Math.abs(main.scrollLeft) === expected) return
  expected = -1
  asked = requestAnimationFrame(() => {
    asked = 0
    if (resized()) return
    const now = find()
    if (together(now)[0] === together(shown)[0]) return
    shown = together(now)[0]
    tell()
  })
}

/** Tells the style of each page the proportions of its picture, in browsers whose styles cannot read them. */
function shape() {
  if (CSS.supports('width', 'calc(1px * attr(data-ratio type(<number>), 1))')) return
  for (const one of pages) {
    const sheet = /** @type {HTMLElement?} */ (one.querySelector('.sheet'))
    sheet?.style.setProperty('--ratio', sheet.dataset.ratio ?? '1')
  }
}

/** Shows pages side by side where there is room, or each alone. @param {boolean} on */
export function pair(on) {
  root.classList.toggle('spread', on)
  root.classList.toggle('single', !on)
  for (const one of pages) {
    const side = one.dataset.side ||= ['left', 'right'].find(name => one.classList.contains(name)) || ''
    if (side) one.classList.toggle(side, on)
  }
}

/** Makes a change that moves all pages, and stays at the current one. @param {() => void} change */
export function keep(change) {
  const number = shown
  change()
  if (page(number)) show(number)
}

export function start() {
  if (!pages.length) return
  shape()
  try {
    const chosen = localStorage.getItem('layout')
    if (chosen) pair(chosen === 'spread')
  } catch { /* storage is not allowed */ }
  show(named())
  main.addEventListener('scroll', scrolled, {passive: true})
  addEventListener('scroll', () => { if (text()) scrolled() }, {passive: true})
  addEventListener('popstate', () => show(named()))
  wide.addEventListener('change', () => keep(() => {}))
  new ResizeObserver(resized).observe(main)
}

const quick = 250 // milliseconds between two turns of a reader who leafs

/** The picture of a page, as the page came with it. */
class Picture {
  small = false // a browser that has a larger picture keeps it, as long as there is a choice: there is none then
  /** @param {HTMLImageElement} img */
  constructor(img) {
    const {srcset, sizes} = img, later = '9px,', choices = srcset.split(', ').map(one => one.split(' '))
    this.img = img
    this.srcset = srcset
    this.sizes = sizes.slice(sizes.indexOf(later) < 0 ? 0 : sizes.indexOf(later) + later.length) // without what holds at first (article.go)
    this.alone = this.sizes.slice(this.sizes.lastIndexOf('min(100vw')) // without a page beside it
    this.largest = {address: choices[choices.length - 1][0], width: parseInt(choices[choices.length - 1][1])}
  }

  /** Returns the width at which it is displayed, in pixels of the screen. */
  width() { return this.img.offsetWidth * devicePixelRatio * Number(visualViewport?.scale ?? 1) }

  /** Makes it small, or lets the browser choose. @param {boolean} small */
  choose(small) {
    if (small === this.small || small && !this.img.dataset.thumb) return // an assignment is a request
    this.small = small
    this.img.srcset = small ? this.img.dataset.thumb + ' 9w' : this.srcset
    if (small) this.img.sizes = this.sizes
  }
}

/** The pictures of the pages. Those of the view are as large as they are displayed, and so are those beside it once
 * the reader has begun to read. All others are small, so that memory does not grow with the pages that were read.
 * A picture whose page was passed before it arrived is not loaded. */
class Pictures {
  /** @type {Map<HTMLImageElement, Picture>} */
  known = new Map()
  /** @type {Set<Picture>} */
  large = new Set()
  reads = false // the reader has begun: views are loaded ahead
  paper = false // all are large, for printing
  zoom = 1
  tiled = true // where a page is larger than its largest picture, tiles cover it (zoom.js)
  turned = -quick // when the view changed
  round = 0 // counts the views: what was meant for an earlier one is dropped

  /** @param {HTMLImageElement | null | undefined} img */
  of(img) {
    if (!img) return
    const picture = this.known.get(img) ?? new Picture(img)
    this.known.set(img, picture)
    return picture
  }

  /** @param {number} number @param {'high' | 'low'} priority */
  load(number, priority) {
    const picture = this.of(page(number)?.querySelector('img'))
    if (!picture) return
    this.large.add(picture)
    picture.choose(false)
    const {img} = picture, sizes = this.size(picture, priority === 'high')
    if (img.sizes !== sizes) img.sizes = sizes
    img.fetchPriority = priority
    img.loading = 'eager' // at last: it begins to load
    return img.decode().catch(() => { /* it was passed, or again.js handles it */ })
  }

  /** Returns how wide a picture is displayed, as the attribute sizes says it. Where tiles cover one, it need not be large:
   * browsers keep what they decoded. @param {Picture} picture @param {boolean} seen */
  size(picture, seen) {
    if (this.paper) return '1600px'
    if (this.zoom > 1 && this.tiled && picture.width() > picture.largest.width) return Number(picture.img.getAttribute('width')) / devicePixelRatio + 'px'
    if (this.zoom > 1 && seen) return Math.round(main.clientWidth * this.zoom) + 'px'
    return root.classList.contains('single') ? picture.alone : picture.sizes
  }

  /** Makes all pictures small but those of these pages. @param {number[]} numbers */
  drop(numbers) {
    const kept = new Set(numbers.map(number => page(number)?.querySelector('img')))
    for (const picture of this.large) {
      if (kept.has(picture.img)) continue
      picture.choose(true)
      this.large.delete(picture)
    }
  }

  /** Loads the view, and then the next and the previous one. A reader who leafs has to stop first. */
  async show() {
    const round = ++this.round, now = together(current()), next = together(now[now.length - 1] + 1), before = together(now[0] - 1)
    const leafs = performance.now() - this.turned < quick
    this.turned = performance.now()
    for (const number of [...now, next[0]]) page(number)?.classList.add('near')
    if (text() || this.paper) return
    this.drop([...now, ...next, ...before])
    if (leafs) await new Promise(done => setTimeout(done, quick / 2))
    if (round !== this.round) return
    await Promise.all(now.map(number => this.load(number, 'high')))
    for (const beside of [next, before]) {
      if (round !== this.round || !this.reads || document.readyState !== 'complete') return
      await Promise.all(beside.map(number => this.load(number, 'low')))
    }
  }

  /** @type {(() => void)[]} */
  begun = []
  /** Calls f when the reader begins. @param {() => void} f */
  onBegin(f) { this.begun.push(f) }

  /** Loads views ahead of the reader from now on. */
  begin() {
    this.reads = true
    for (const f of this.begun) f()
    root.classList.remove('still')
    this.show()
  }

  /** Makes every picture large, for printing. The text view prints none. */
  all() {
    if (text()) return []
    this.paper = true
    return pages.map(one => this.load(Number(one.id.slice(1)), 'high'))
  }

  /** Ends printing. */
  printed() {
    this.paper = false
    this.show()
  }

  /** @param {number} zoom */
  enlarge(zoom) {
    this.zoom = zoom
    this.show()
  }
}

export const pictures = new Pictures()

root.classList.add('still') // the first view loads nothing but itself
onTurn(() => pictures.show())
for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel']) addEventListener(kind, () => { if (!pictures.reads) pictures.begin() }, {passive: true})
addEventListener('load', () => pictures.show())
addEventListener('beforeprint', () => { pictures.all() })
addEventListener('afterprint', () => pictures.printed())
