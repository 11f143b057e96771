// Links of the pages: to a page, to a product, and to a medium.
/** Opens the dialog of a product, or of a picture, film or sound. @param {Element} link */
async function showItem(link) {
  if (link.hasAttribute('data-medium')) return (await wanted(import('./medium.js')))?.show(/** @type {SVGAElement} */ (link))
  if (element('basket')) basket().catch(() => { /* a later use requests it again */ }) // the reader may need it next
  const item = await wanted(import('./item.js'))
  item?.show(/** @type {SVGAElement} */ (link))
}
main.addEventListener('click', event => {
  const link = /** @type {Element} */ (event.target).closest('a')
  const to = link?.getAttribute('href') || ''
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
  if (link.matches('[data-item], [data-medium]')) {
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
  // A link that opens a dialog acts as a button: the key is a click, once however long it is held.
  const link = /** @type {Element} */ (event.target).closest('a:is([data-item], [data-medium])')
  if (!link || (event.key !== ' ' && event.key !== 'Enter') || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  if (!event.repeat) link.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))
})
