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
