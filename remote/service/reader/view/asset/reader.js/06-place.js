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
