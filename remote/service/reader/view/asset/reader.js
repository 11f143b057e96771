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

// Paging.
button('previous', () => paging.turn(-1))
button('next', () => paging.turn(1))
paging.onTurn(() => {
  element('previous').disabled = paging.atBegin()
  element('next').disabled = paging.atEnd()
})

/** The pages behind those that are shown are there before they are asked for. @param {number[]} numbers */
function prefetch(numbers) {
  const last = numbers[numbers.length - 1]
  for (const number of paging.together(last + 1)) {
    const img = paging.page(number)?.querySelector('img')
    if (img && !root.classList.contains('text')) img.loading = 'eager'
  }
}
paging.onTurn(numbers => {
  if (document.readyState === 'complete') prefetch(numbers)
  else addEventListener('load', () => prefetch(numbers), {once: true})
})

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
async function larger() { (await zoom()).larger() }
function whole() { enlarged?.whole() }
button('larger', larger)
button('smaller', () => enlarged?.smaller())
button('whole', whole)
main.addEventListener('dblclick', async event => {
  if (pages.length && !paging.text() && !/** @type {Element} */ (event.target).closest('a')) (await zoom()).double(event)
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

// Search: its scripts are loaded when they are wanted.
const search = () => import('./search.js')
button('seek', async () => (await search()).open())

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
  cart.addEventListener('click', async () => (await basket()).look())
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
/** A sheet of paper shows more than a window: every picture is loaded, the large one. */
function forPaper() {
  for (const one of main.querySelectorAll('img')) {
    one.sizes = '1600px'
    one.loading = 'eager'
  }
}
addEventListener('beforeprint', forPaper)
button('print', async () => {
  whole()
  forPaper()
  await Promise.allSettled([...main.querySelectorAll('img')].map(img => img.decode()))
  print()
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

// A picture that failed is asked for once more, after the next page was turned.
main.addEventListener('error', event => {
  const img = /** @type {HTMLImageElement} */ (event.target)
  if (img.dataset.again) return
  img.dataset.again = 'yes'
  paging.onTurn(() => {
    if (img.dataset.again !== 'yes') return
    img.dataset.again = 'done'
    img.srcset = img.srcset
  })
}, true)

// Text that did not come with the pictures is loaded when its page is shown, and when the
// browser's own search may be about to look for it.
const texts = () => main.querySelector('.later') && import('./text.js').then(t => t.load()).catch(() => { /* it is asked for again */ })
paging.onTurn(numbers => { if (numbers.some(n => paging.page(n)?.querySelector('.later'))) texts() })
addEventListener('keydown', event => { if ((event.ctrlKey || event.metaKey) && event.key === 'f') texts() })

// What is looked at is counted from when it is there. Previews are not.
if (main.hasAttribute('data-count')) {
  if (document.readyState === 'complete') import('./hit.js')
  else addEventListener('load', () => import('./hit.js'), {once: true})
}

paging.start()
root.classList.add('ready')

// What an address asks to have marked.
const phrase = new URL(location.href).searchParams.get('Highlight')
if (phrase && pages.length) search().then(s => s.highlight(phrase))
