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
