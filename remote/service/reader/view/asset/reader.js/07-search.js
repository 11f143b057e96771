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
