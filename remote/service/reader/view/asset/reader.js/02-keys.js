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
