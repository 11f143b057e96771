// @ts-check
// A picture, film or sound over the page. Nothing of it is loaded before its spot is pressed, or once the dialog is closed, and
// nothing plays by itself.
const place = /** @type {HTMLElement} */ (document.getElementById('place'))
const dialog = document.createElement('dialog'), title = document.createElement('h2')
const close = /** @type {Node} */ (document.querySelector('#item > form')).cloneNode(true)
dialog.id = 'medium'
title.id = 'medium-title'
title.dir = 'auto'
dialog.setAttribute('aria-labelledby', title.id)
document.body.append(dialog)
dialog.addEventListener('click', event => { if (event.target === dialog) dialog.close() })
dialog.addEventListener('close', () => {
  for (const medium of /** @type {NodeListOf<HTMLMediaElement>} */ (dialog.querySelectorAll('video, audio'))) {
    medium.removeAttribute('src')
    medium.load() // this ends playing and loading
  }
  dialog.replaceChildren()
})

/** Shows what a spot leads to. @param {SVGAElement} link */
export function show(link) {
  const {medium, most} = link.dataset, name = link.getAttribute('aria-label') || '', src = link.href.baseVal
  const shown = document.createElement(medium === 'image' ? 'img' : String(medium))
  title.textContent = name
  shown.addEventListener('error', () => {
    const open = document.createElement('a'), said = document.createElement('p')
    Object.assign(open, {href: src, target: '_blank', rel: 'noopener', textContent: name})
    said.setAttribute('role', 'status')
    said.append(String(place.dataset.failed), ' ', open)
    if (dialog.open) shown.replaceWith(said)
  })
  shown.setAttribute(medium === 'image' ? 'alt' : 'aria-label', name)
  Object.assign(shown, medium === 'image' ? {src} : {src, controls: true, playsInline: true, preload: 'metadata'})
  dialog.style.setProperty('--most', Number(most) ? most + 'px' : '64rem')
  dialog.replaceChildren(title, shown, close)
  dialog.showModal()
}
