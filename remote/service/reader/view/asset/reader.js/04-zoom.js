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
