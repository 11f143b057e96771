// @ts-check
// The bar, the keys and the dialogs. The page is complete without them.
import * as paging from './paging.js'

const { root, main, pages, pictures } = paging

/** @param {string} id @returns {any} */
const element = id => document.getElementById(id)

/** Shows a button that needs scripts. @param {string} id @param {(event: Event) => void} act */
function button(id, act) {
  const b = element(id)
  if (!b) return
  b.hidden = false
  b.addEventListener('click', act)
}

/** Waits for a script that is loaded on demand. If that fails, the bar says so, but without a
 * connection, which the banner tells. @template T @param {Promise<T>} script @returns {Promise<T | void>} */
const wanted = script => script.catch(() => { if (navigator.onLine) element('place').textContent = element('place').dataset.failed })

// Paging.
button('previous', () => paging.turn(-1))
button('next', () => paging.turn(1))
pictures.onBegin(() => import('./turn.js').then(t => paging.onMove(t.move), () => { /* pages turn without motion */ }))
paging.onTurn(() => {
  element('previous').disabled = paging.atBegin()
  element('next').disabled = paging.atEnd()
})

// Keys, wherever the focus is, but in dialogs and fields.
/** @type {Record<string, () => void>} */
const keys = {
  ArrowRight: () => paging.aside(1), ArrowLeft: () => paging.aside(-1), PageDown: () => paging.turn(1), PageUp: () => paging.turn(-1),
  Home: paging.begin, End: paging.end, '+': larger, '=': larger, '-': () => enlarged?.smaller(), '0': whole, Escape: whole,
}
/** @type {Record<string, [number, number]>} */
const moves = {ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1]}
document.addEventListener('keydown', event => {
  const space = event.key === ' ' && !/** @type {Element} */ (event.target).closest('a, button, input, [popover]')
  const key = space ? event.shiftKey ? 'PageUp' : 'PageDown' : event.key
  const act = keys[key], move = root.classList.contains('zoomed') && moves[event.key]
  if (!act && !move || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || paging.text()) return
  if (/** @type {Element} */ (event.target).closest('dialog, input:not([type=range]), textarea, select, [popover], .plain .words') || document.querySelector('dialog[open], :popover-open')) return
  if (event.key === 'Escape' && !root.classList.contains('zoomed')) return
  event.preventDefault()
  if (move) main.scrollBy({left: move[0] * main.clientWidth / 8, top: move[1] * main.clientHeight / 8})
  else if (!/^Page/.test(key) || !further(key === 'PageDown')) act()
})

/** Scrolls in a page that is larger than the window, up to its end, and reports whether there was more of it. @param {boolean} down */
function further(down) {
  const page = paging.page(paging.current()), scrolls = page?.matches('.long') ? page : main
  const at = page?.querySelector('.sheet')?.getBoundingClientRect(), box = scrolls.getBoundingClientRect()
  const more = at && (scrolls === page || root.classList.contains('zoomed')) && (down ? at.bottom - box.bottom : box.top - at.top) > 1
  if (more) scrolls.scrollBy({top: (down ? 1 : -1) * scrolls.clientHeight * .9})
  return more
}

// The wheel turns a view with each of its notches, and two fingers, which send sixty events, with each of their gestures.
// Their speed grows, and falls by itself: where it grows again, there is another gesture. One for which there is no further
// view is left to what is around a frame. With Ctrl, which browsers also report for a pinch, the wheel enlarges.
let rolled = 0, turned = 0, way = 0, notched = false, ours = false, speed = 0, peak = 0, low = 0
main.addEventListener('wheel', event => {
  const by = event.deltaY * (event.deltaMode ? 40 : 1), on = /** @type {Element} */ (event.target)
  if (paging.text()) return
  if (event.ctrlKey) {
    event.preventDefault()
    wanted(zoom()).then(z => z?.wheel(event, by))
    return
  }
  if (Math.abs(event.deltaX) >= Math.abs(by) || root.classList.contains('zoomed') || on.closest('.plain .words')) return
  const begins = event.timeStamp - rolled > 150 || Math.sign(by) !== way
  rolled = event.timeStamp
  way = Math.sign(by)
  if (begins) {
    notched = event.deltaMode > 0 || /** @type {any} */ (event).wheelDeltaY % 120 === 0
    speed = peak = low = Math.abs(by)
  } else {
    speed += (Math.abs(by) - speed) * .3
    low = speed > peak ? speed : Math.min(low, speed)
    peak = Math.max(peak, speed)
    const again = notched ? event.timeStamp - turned >= 200 : low < peak / 3 && speed > 2 * low + 4
    if (!again) {
      if (ours) event.preventDefault()
      return
    }
    peak = low = speed
  }
  const long = on.closest('.long') // it scrolls, up to its end
  ours = !(way > 0 ? paging.atEnd() : paging.atBegin()) && !(long && (way > 0 ? long.scrollTop + long.clientHeight < long.scrollHeight - 1 : long.scrollTop > 0))
  if (!ours) return
  event.preventDefault()
  turned = event.timeStamp
  paging.turn(way > 0 ? 1 : -1)
}, {passive: false})

// From the row of pages, Tab goes on at the page that is shown, not at the first one: the browser takes the
// next link after the focus.
main.addEventListener('keydown', event => {
  const here = paging.page(paging.current())
  if (event.key !== 'Tab' || event.shiftKey || event.target !== main || !here) return
  here.tabIndex = -1
  here.focus({preventScroll: true})
  here.addEventListener('blur', () => here.removeAttribute('tabindex'), {once: true})
})

// Zoom. Its script is loaded on demand.
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

// A pinch, which is the browser's own zoom, is as sharp.
visualViewport?.addEventListener('resize', async () => {
  if (!enlarged && !paging.text() && Number(visualViewport?.scale) > 1.05) (await wanted(zoom()))?.moved()
})

// Links of the pages: to a page, and to a product.
/** @param {Element} link */
async function showItem(link) {
  if (element('basket')) basket().catch(() => { /* a later use requests it again */ }) // the reader may need it next
  const item = await wanted(import('./item.js'))
  item?.show(/** @type {SVGAElement} */ (link))
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
  // A link that opens a dialog acts as a button.
  const link = /** @type {Element} */ (event.target).closest('a[data-item]')
  if (!link || (event.key !== ' ' && event.key !== 'Enter') || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  showItem(link)
})

// Overview and contents. Without scripts, the link shows the contents.
const thumbs = element('thumbs')
const lists = () => import('./lists.js')
button('overview', async () => (await wanted(lists()))?.overview())
element('chapters')?.addEventListener('click', /** @param {MouseEvent} event */ event => {
  event.preventDefault()
  wanted(lists()).then(l => l?.chapters())
})

// The slider, and the field for a page number. The picture over the slider is loaded on demand.
const slider = element('slider'), field = element('number')
if (pages.length > 1) {
  Object.assign(slider, {hidden: false, min: main.dataset.first, max: pages.at(-1)?.id.slice(1)})
  field.hidden = false
  paging.onTurn(([number]) => {
    slider.value = number
    field.value = paging.name(number)
    slider.setAttribute('aria-valuetext', element('place').textContent)
  })
  slider.addEventListener('change', () => { whole(); paging.show(Number(slider.value), {jump: true}) })
  field.addEventListener('change', () => {
    const label = field.value.trim().toLowerCase()
    whole()
    paging.show(Number(pages.find(one => one.dataset.label?.toLowerCase() === label)?.id.slice(1) ?? label), {jump: true})
    field.value = paging.name(paging.current())
  })
  for (const kind of ['pointerenter', 'input']) slider.addEventListener(kind, () => import('./peek.js').catch(() => { /* the slider works without */ }), {once: true})
}

// Single pages or spreads, where there are any, by the reader's choice, which this browser keeps.
if (pages.some(one => one.dataset.side || one.matches('.left, .right'))) {
  const press = () => element('pair').setAttribute('aria-pressed', String(root.classList.contains('spread')))
  button('pair', () => {
    const on = !root.classList.contains('spread')
    whole()
    paging.keep(() => paging.pair(on))
    press()
    try {
      localStorage.setItem('layout', on ? 'spread' : 'single')
    } catch { /* storage is not allowed */ }
  })
  addEventListener('load', press)
}

// Where this browser left off is offered, unless the address says where to begin.
const most = 50 // papers whose places are kept
/** @returns {Record<string, number>} */
function places() {
  try {
    return JSON.parse(localStorage.getItem('places') || '{}') || {}
  } catch {
    return {}
  }
}
const place = places()[location.pathname]
if (place > 1 && place <= Number(main.dataset.total) && !location.hash && !new URL(location.href).searchParams.has('Page')) {
  element('resume').textContent = paging.words(element('resume').textContent, paging.name(place))
  button('resume', () => {
    if (paging.page(place)) paging.show(place, {jump: true})
    else location.href = '?Page=' + place
  })
}
paging.onTurn(([number]) => {
  if (number === 1) return
  element('resume').hidden = true
  const all = places()
  delete all[location.pathname] // what was read last is last
  if (!paging.atEnd()) all[location.pathname] = number
  for (const old of Object.keys(all).slice(0, -most)) delete all[old]
  try {
    localStorage.setItem('places', JSON.stringify(all))
  } catch { /* storage is not allowed */ }
})

// In a narrow window, some tools are in a menu. It closes when one was used, but for those that are pressed again.
const tools = element('tools'), narrow = matchMedia('(max-width: 60em)')
narrow.addEventListener('change', () => {
  if (!narrow.matches || !tools.hidePopover) return
  const focused = tools.contains(document.activeElement)
  tools.hidePopover()
  if (focused) element('more').focus()
})
tools.addEventListener('click', /** @param {Event} event */ event => {
  if (!(/** @type {Element} */ (event.target).closest('#larger, #smaller')) && tools.matches(':popover-open')) tools.hidePopover()
}, true)

// Search. Its scripts are loaded on demand.
const search = () => import('./search.js')
button('seek', async () => (await wanted(search()))?.open())

// The mouse or a long press selects text on the pictures. Script and text are loaded when the
// selection begins.
const select = () => import('./select.js')
let mine = false // the mouse is pressed to select here: the browser must neither select nor drag
main.addEventListener('mousedown', event => {
  const target = /** @type {Element} */ (event.target), article = target.closest('article')
  if (event.button || !article || paging.text() || target.closest('a, .words')) return
  mine = true
  getSelection()?.empty()
  let last = event, far = false // the mouse button may be released before the script is loaded
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

// The basket, if products can be ordered. Its script is loaded on demand, or if this browser
// has a basket.
const basket = () => import('./basket.js')
function shop() {
  const cart = element('cart'), {paper} = element('basket').dataset, {put} = JSON.parse(element('basket').querySelector('script').textContent)
  for (const b of main.querySelectorAll('.item button')) b.textContent = put
  cart.hidden = false
  cart.addEventListener('click', async () => (await wanted(basket()))?.look())
  document.addEventListener('submit', event => {
    const form = /** @type {HTMLFormElement} */ (event.target)
    if (!form.closest('.item')) return
    event.preventDefault()
    basket().then(b => b.put(form), () => form.submit()) // if the script fails to load, the form itself orders
  })
  addEventListener('storage', event => { if (event.key === 'basket-' + paper) basket() })
  try {
    if (localStorage.getItem('basket-' + paper)) basket()
  } catch { /* storage is not allowed */ }
}
if (element('basket')) shop()

// Text in place of pictures. The script adds the page to the link.
element('text').addEventListener('click', /** @param {MouseEvent} event */ event => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return
  const address = new URL(element('text').href)
  address.searchParams.set('Page', String(paging.current()))
  element('text').href = address.href
})

// The text is read aloud where the browser can.
if (paging.text() && 'speechSynthesis' in window) button('speak', async () => (await wanted(import('./speak.js')))?.toggle())

// When a preview ends, in the reader's time and words.
const ends = document.querySelector('#ends time')
if (ends) ends.textContent = new Intl.DateTimeFormat(/** @type {Element} */ (ends.parentElement).lang, {dateStyle: 'medium', timeStyle: 'short'}).format(new Date(ends.textContent || ''))

// Full screen, sharing, printing.
if (document.fullscreenEnabled) {
  button('full', () => document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen())
  document.addEventListener('fullscreenchange', () => element('full').setAttribute('aria-pressed', String(!!document.fullscreenElement)))
}
button('share', async () => (await wanted(import('./share.js')))?.open())
let waits = false // printing waits for pictures
async function printAll() {
  if (waits) return
  waits = true
  whole()
  await Promise.allSettled([main.querySelector('.plain .later') && texts(), ...pictures.all()])
  if (waits) print()
  waits = false
}
button('print', printAll)
addEventListener('keydown', event => {
  if (event.key !== 'p' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || document.querySelector('dialog[open]')) return
  if (waits && !event.repeat) { // a second press ends the wait: the browser prints what is loaded
    waits = false
    return
  }
  event.preventDefault() // the browser would not wait for the pictures
  printAll()
})

// The tools leave a reader with a mouse alone after a while, but title and page number stay. By the publisher's
// setting, the whole bar hides until there is input.
const hides = root.hasAttribute('data-maximize')
root.classList.toggle('maximized', hides)
let rests = 0
/** @param {Event} event */
function wake(event) {
  root.classList.add('shown')
  root.classList.remove('quiet')
  clearTimeout(rests)
  if (!hides && /** @type {PointerEvent} */ (event).pointerType === 'touch') return
  rests = setTimeout(() => {
    root.classList.remove('shown')
    root.classList.add('quiet')
  }, 3500)
}
for (const kind of ['pointermove', 'pointerdown', 'keydown']) addEventListener(kind, wake, {passive: true})

// Pictures that fail to load.
for (const all of [main, thumbs]) {
  all.addEventListener('error', /** @param {Event} event */ event => {
    const img = /** @type {HTMLImageElement} */ (event.target)
    img.classList.add('lost') // a browser would show that it is broken
    import('./again.js').then(a => a.failed(img), () => { /* the script fails to load, too */ })
  }, true)
  all.addEventListener('load', /** @param {Event} event */ event => /** @type {Element} */ (event.target).classList.remove('lost'), true)
}

// Without a connection, the reader is told, and what is missing is asked for again once it is back.
const offline = document.createElement('p')
offline.className = 'note'
offline.lang = element('place').parentElement.lang
offline.setAttribute('role', 'status')
addEventListener('offline', () => {
  main.before(offline)
  offline.textContent = element('place').dataset.offline
})
addEventListener('online', () => {
  offline.remove()
  for (const img of main.querySelectorAll('img')) if (img.complete && img.currentSrc && !img.naturalWidth) img.srcset = img.srcset
  pictures.show()
})

// Text that was not sent with the pictures is loaded when its page is shown, and when the
// reader may be about to use the browser's own search.
const texts = () => main.querySelector('.later') && import('./text.js').then(t => t.load()).catch(() => { /* a later use requests it again */ })
paging.onTurn(numbers => { if (numbers.some(n => paging.page(n)?.querySelector('.later'))) texts() })
addEventListener('keydown', event => { if (event.key === 'F3' || (event.ctrlKey || event.metaKey) && /^[fg]$/.test(event.key)) texts() })
addEventListener('blur', () => { if (!document.hidden) texts() }) // the browser's own bar may have the focus

// Views are counted once the page is loaded, except for previews.
if (main.hasAttribute('data-count')) {
  if (document.readyState === 'complete') import('./hit.js')
  else addEventListener('load', () => import('./hit.js'), {once: true})
}

paging.start()
root.classList.add('ready')

// The phrase that the address asks to mark.
const phrase = new URL(location.href).searchParams.get('Highlight')
if (phrase && pages.length) wanted(search()).then(s => s?.highlight(phrase))
