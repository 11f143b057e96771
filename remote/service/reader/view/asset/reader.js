// @ts-check
// The bar, the keys and the dialogs. The page is whole without any of this.
import * as paging from './paging.js'

const { root, main, pages } = paging

/** @param {string} id @returns {any} */
const element = id => document.getElementById(id)

/** Shows a button, which is there for scripts alone. @param {string} id @param {(event: Event) => void} act */
function button(id, act) {
  const b = element(id)
  if (!b) return
  b.hidden = false
  b.addEventListener('click', act)
}

/** Waits for a script that is loaded when it is wanted. Without it the reader is told. @template T @param {Promise<T>} script @returns {Promise<T | void>} */
const wanted = script => script.catch(() => { element('place').textContent = element('place').dataset.failed })

// Paging.
button('previous', () => paging.turn(-1))
button('next', () => paging.turn(1))
paging.onTurn(() => {
  element('previous').disabled = paging.atBegin()
  element('next').disabled = paging.atEnd()
})

/** Loads the pictures of pages as large as they are shown: what nobody came to has small ones. @param {number[]} numbers */
function sharpen(numbers) {
  if (paging.text()) return
  for (const number of numbers) {
    const img = paging.page(number)?.querySelector('img')
    if (!img) continue
    img.sizes = img.sizes.replace(/^\(\S+\) 9px,/, '')
    img.loading = 'eager'
  }
}

// What lies behind the pages that are shown is there before it is asked for, once somebody reads: the
// first view loads nothing but itself.
let reads = false
function ahead() {
  const numbers = paging.together(paging.current())
  for (const number of [numbers[0] - 1, ...numbers, numbers[numbers.length - 1] + 1]) paging.page(number)?.classList.add('near')
  root.classList.toggle('still', !reads)
  if (reads && document.readyState === 'complete') sharpen(paging.together(numbers[numbers.length - 1] + 1))
}
paging.onTurn(sharpen)
paging.onTurn(ahead)
addEventListener('load', ahead)
for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel']) addEventListener(kind, () => { reads = true; ahead() }, {once: true, passive: true})

// Keys, while the pages have the focus.
/** @type {Record<string, () => void>} */
const keys = {
  ArrowRight: () => paging.turn(1), ArrowLeft: () => paging.turn(-1), PageDown: () => paging.turn(1), PageUp: () => paging.turn(-1),
  Home: paging.begin, End: paging.end, '+': larger, '=': larger, '-': () => enlarged?.smaller(), '0': whole,
}
main.addEventListener('keydown', event => {
  const act = keys[event.key]
  const moves = event.key.startsWith('Arrow') && root.classList.contains('zoomed')
  if (!act || event.altKey || event.ctrlKey || event.metaKey || moves || paging.text()) return
  event.preventDefault()
  act()
})

// Zoom: its script is loaded when it is wanted.
/** @type {typeof import('./zoom.js') | undefined} */
let enlarged
async function zoom() {
  if (enlarged) return enlarged
  const z = await import('./zoom.js')
  if (enlarged) return z
  enlarged = z
  z.start()
  z.onZoom((now, most) => {
    element('larger').disabled = now >= most
    element('smaller').disabled = element('whole').disabled = now === 1
  })
  return z
}
async function larger() { (await wanted(zoom()))?.larger() }
function whole() { enlarged?.whole() }
button('larger', larger)
button('smaller', () => enlarged?.smaller())
button('whole', whole)
main.addEventListener('dblclick', async event => {
  if (pages.length && !paging.text() && !/** @type {Element} */ (event.target).closest('a')) (await wanted(zoom()))?.double(event)
})

// Links of the pages: to a page, and to a product.
/** @param {Element} link */
function showItem(link) {
  const item = element((link.getAttribute('href') || '').slice(1)).cloneNode(true), dialog = element('item')
  item.removeAttribute('id')
  if (element('basket')) basket().catch(() => { /* it is asked for again */ }) // it may be wanted next
  dialog.querySelector('div').replaceChildren(item)
  dialog.showModal()
}
main.addEventListener('click', event => {
  const link = /** @type {Element} */ (event.target).closest('a')
  const to = link?.getAttribute('href') || ''
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
  if (link.hasAttribute('data-item')) {
    event.preventDefault()
    showItem(link)
  } else if (/^#p\d+$/.test(to) && paging.page(Number(to.slice(2)))) {
    event.preventDefault()
    whole()
    paging.show(Number(to.slice(2)), {jump: true})
    main.focus()
  }
})
main.addEventListener('keydown', event => {
  // What opens a dialog acts as a button does.
  const link = /** @type {Element} */ (event.target).closest('a[data-item]')
  if (!link || (event.key !== ' ' && event.key !== 'Enter') || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  showItem(link)
})

// Overview.
const thumbs = element('thumbs')
function overview() {
  const list = thumbs.querySelector('ol')
  if (!list.children.length) {
    for (const one of pages) {
      const item = document.createElement('li'), link = document.createElement('a'), number = one.id.slice(1)
      link.href = '#' + one.id
      link.setAttribute('aria-label', one.getAttribute('aria-label') || number)
      const at = one.querySelector('img')
      if (at) {
        const img = document.createElement('img')
        img.loading = 'lazy'
        img.alt = ''
        img.src = at.dataset.thumb || at.src
        link.append(img)
      }
      link.append(number)
      item.append(link)
      list.append(item)
    }
  }
  for (const link of list.querySelectorAll('[aria-current]')) link.removeAttribute('aria-current')
  const here = list.querySelector(`a[href="#p${paging.current()}"]`)
  here?.setAttribute('aria-current', 'page')
  thumbs.showModal()
  here?.focus()
}
button('overview', overview)
thumbs.addEventListener('click', /** @param {MouseEvent} event */ event => {
  if (event.target === thumbs) return thumbs.close()
  const link = /** @type {Element} */ (event.target).closest('a')
  if (!link) return
  event.preventDefault()
  thumbs.close()
  whole()
  paging.show(Number(link.hash.slice(2)), {jump: true})
})

// Contents. The link shows them without scripts, too.
const contents = element('contents')
element('chapters')?.addEventListener('click', /** @param {MouseEvent} event */ event => {
  event.preventDefault()
  contents.showModal()
})
contents?.addEventListener('click', /** @param {MouseEvent} event */ event => {
  const link = /** @type {Element} */ (event.target).closest('a')
  if (event.target !== contents && !link) return
  const number = Number(link?.getAttribute('href')?.match(/^#p(\d+)$/)?.[1])
  if (link && !number && link.getAttribute('href') !== '#pages') return // another part
  event.preventDefault()
  contents.close()
  if (!number) return
  whole()
  paging.show(number, {jump: true})
})

// The bar shows what has room in it; the others are a menu, which gives the focus back to its button.
const tools = element('tools'), more = element('more'), bar = /** @type {HTMLElement} */ (more.parentElement)
const all = /** @type {HTMLElement[]} */ ([...tools.children]), cart = element('cart')
// What the places of the buttons follow from. While it stays, none is moved: a press on one that moves is no click.
const room = () => [bar.parentElement?.clientWidth, bar.parentElement?.clientHeight, cart?.offsetWidth, ...all.map(one => one.hidden)].join()
let fitted = ''
function fit() {
  if (room() === fitted) return
  const focused = /** @type {HTMLElement | null} */ (bar.contains(document.activeElement) && document.activeElement)
  if (tools.matches(':popover-open')) tools.hidePopover() // what is in it may go into the bar
  const header = /** @type {HTMLElement} */ (bar.parentElement), gap = parseFloat(getComputedStyle(bar).columnGap)
  more.hidden = false
  more.before(...all)
  const widths = all.map(one => one.offsetWidth && one.offsetWidth + gap)
  const free = bar.getBoundingClientRect().left - (bar.previousElementSibling?.getBoundingClientRect().right || 0)
  // What has no room, with some for a longer page number. A narrow bar breaks the line.
  let wide = header.scrollWidth - header.clientWidth + (header.clientWidth > 720 ? 96 : 8) - free
  for (let i = all.length - 1; i >= 0 && wide > 0; i--) {
    wide -= widths[i]
    tools.prepend(all[i])
  }
  more.hidden = ![...tools.children].some(one => !one.hidden)
  fitted = room()
  // What was moved has lost the focus, and may be in the menu now.
  if (focused) [focused, more, ...all].some(one => (one.focus(), document.activeElement === one))
}
if (tools.hidePopover) {
  const fits = new ResizeObserver(fit)
  for (const one of [bar.parentElement, cart]) if (one) fits.observe(one)
}
tools.addEventListener('click', /** @param {Event} event */ event => {
  if (!(/** @type {Element} */ (event.target).closest('#larger, #smaller')) && tools.matches(':popover-open')) tools.hidePopover()
}, true)

// Search: its scripts are loaded when they are wanted.
const search = () => import('./search.js')
button('seek', async () => (await wanted(search()))?.open())

// Text on the pictures is selected by mouse and by a finger that rests: script and text are
// loaded when that begins.
const select = () => import('./select.js')
let mine = false // the mouse is down for this: the browser selects and drags nothing
main.addEventListener('mousedown', event => {
  const target = /** @type {Element} */ (event.target), article = target.closest('article')
  if (event.button || !article || paging.text() || target.closest('a, .words')) return
  mine = true
  getSelection()?.empty()
  let last = event, far = false // the button may be released before the script is there
  /** @param {MouseEvent} now */
  const move = now => {
    last = now
    if (far || Math.hypot(now.clientX - event.clientX, now.clientY - event.clientY) < 4) return
    far = true
    select().then(s => { end(); s.drag(article, event, last) })
  }
  /** @param {MouseEvent} [now] */
  const end = now => { last = now || last; removeEventListener('mousemove', move); removeEventListener('mouseup', end) }
  addEventListener('mousemove', move)
  addEventListener('mouseup', end)
  addEventListener('mouseup', () => { mine = false }, {once: true})
})
for (const kind of ['selectstart', 'dragstart']) main.addEventListener(kind, event => { if (mine) event.preventDefault() })
main.addEventListener('pointerdown', event => {
  const article = /** @type {Element} */ (event.target).closest('article')
  if (event.pointerType === 'mouse' || !article || paging.text()) return
  const timer = setTimeout(() => select().then(s => s.touch(article)), 200)
  for (const kind of ['pointerup', 'pointercancel']) addEventListener(kind, () => clearTimeout(timer), {once: true})
})

// The basket, where products can be ordered: its script is loaded when it is wanted, or
// when this browser has a basket.
const basket = () => import('./basket.js')
function shop() {
  const cart = element('cart'), {paper, put} = element('basket').dataset
  for (const b of main.querySelectorAll('.item button')) b.textContent = put
  cart.hidden = false
  cart.addEventListener('click', async () => (await wanted(basket()))?.look())
  document.addEventListener('submit', event => {
    const form = /** @type {HTMLFormElement} */ (event.target)
    if (!form.closest('.item')) return
    event.preventDefault()
    basket().then(b => b.put(form), () => form.submit()) // without the script the form orders alone
  })
  addEventListener('storage', event => { if (event.key === 'basket-' + paper) basket() })
  try {
    if (localStorage.getItem('basket-' + paper)) basket()
  } catch { /* none may be kept here */ }
}
if (element('basket')) shop()

// Text in place of pictures. The link does the same without scripts.
element('text').addEventListener('click', /** @param {MouseEvent} event */ event => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return
  const address = new URL(element('text').href)
  address.searchParams.set('Page', String(paging.current()))
  element('text').href = address.href
})

// Full screen, sharing, printing.
if (document.fullscreenEnabled) {
  button('full', () => document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen())
  document.addEventListener('fullscreenchange', () => element('full').setAttribute('aria-pressed', String(!!document.fullscreenElement)))
}
if (navigator.share || navigator.clipboard) {
  button('share', async () => {
    const url = location.href
    try {
      if (navigator.share) return await navigator.share({title: document.title, url})
      await navigator.clipboard.writeText(url)
      element('place').textContent = element('share').dataset.done
    } catch { /* the reader changed their mind */ }
  })
}
/** A sheet of paper shows more than a window: every picture is loaded, the large one. The text view prints none. */
function forPaper() {
  const all = paging.text() ? [] : [...main.querySelectorAll('img')]
  for (const one of all) {
    one.sizes = '1600px'
    one.loading = 'eager'
  }
  return all
}
addEventListener('beforeprint', forPaper)
let waits = false // for pictures, to print them
async function printAll() {
  if (waits) return
  waits = true
  whole()
  await Promise.allSettled([main.querySelector('.plain .later') && texts(), ...forPaper().map(img => img.decode())])
  if (waits) print()
  waits = false
}
button('print', printAll)
addEventListener('keydown', event => {
  if (event.key !== 'p' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || document.querySelector('dialog[open]')) return
  if (waits && !event.repeat) { // who presses again waits no more: the browser prints what is there
    waits = false
    return
  }
  event.preventDefault() // the browser would not wait for the pictures
  printAll()
})

// A bar that hides until it is wanted.
if (root.hasAttribute('data-maximize')) {
  root.classList.add('maximized')
  let timer = 0
  const wanted = () => {
    root.classList.add('shown')
    clearTimeout(timer)
    timer = setTimeout(() => root.classList.remove('shown'), 3000)
  }
  for (const kind of ['pointermove', 'pointerdown', 'keydown']) addEventListener(kind, wanted, {passive: true})
}

// A picture that failed.
for (const all of [main, thumbs]) {
  all.addEventListener('error', /** @param {Event} event */ event => {
    const img = /** @type {HTMLImageElement} */ (event.target)
    import('./again.js').then(a => a.failed(img), () => { /* neither comes */ })
  }, true)
}

// Text that did not come with the pictures is loaded when its page is shown, and when the
// browser's own search may be about to look for it.
const texts = () => main.querySelector('.later') && import('./text.js').then(t => t.load()).catch(() => { /* it is asked for again */ })
paging.onTurn(numbers => { if (numbers.some(n => paging.page(n)?.querySelector('.later'))) texts() })
addEventListener('keydown', event => { if (event.key === 'F3' || (event.ctrlKey || event.metaKey) && /^[fg]$/.test(event.key)) texts() })
addEventListener('blur', () => { if (!document.hidden) texts() }) // the browser's bar has the focus

// What is looked at is counted from when it is there. Previews are not.
if (main.hasAttribute('data-count')) {
  if (document.readyState === 'complete') import('./hit.js')
  else addEventListener('load', () => import('./hit.js'), {once: true})
}

paging.start()
root.classList.add('ready')
if (tools.hidePopover) fit() // before anything is painted: nothing of the bar moves

// What an address asks to have marked.
const phrase = new URL(location.href).searchParams.get('Highlight')
if (phrase && pages.length) wanted(search()).then(s => s?.highlight(phrase))
