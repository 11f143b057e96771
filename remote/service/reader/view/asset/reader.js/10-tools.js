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
