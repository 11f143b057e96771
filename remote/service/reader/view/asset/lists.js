// @ts-check
// The dialogs that lead to pages: the overview, with a small picture of each, and the contents.
import { pages, current, show } from './paging.js'
import * as zoom from './zoom.js'

const thumbs = /** @type {HTMLDialogElement} */ (document.getElementById('thumbs')), list = /** @type {HTMLElement} */ (thumbs.querySelector('ol'))
const contents = /** @type {HTMLDialogElement | null} */ (document.getElementById('contents'))

/** @param {HTMLElement} page */
function entry(page) {
  const item = document.createElement('li'), link = document.createElement('a'), at = page.querySelector('img')
  link.href = '#' + page.id
  link.setAttribute('aria-label', page.getAttribute('aria-label') || '')
  if (at) {
    const img = document.createElement('img')
    img.loading = 'lazy'
    img.alt = ''
    img.src = at.dataset.thumb || at.src
    link.append(img)
  }
  link.append(page.dataset.label ?? page.id.slice(1))
  item.append(link)
  return item
}

export function overview() {
  if (!list.children.length) list.append(...pages.map(entry))
  for (const link of list.querySelectorAll('[aria-current]')) link.removeAttribute('aria-current')
  const here = /** @type {HTMLElement | null} */ (list.querySelector(`a[href="#p${current()}"]`))
  here?.setAttribute('aria-current', 'page')
  thumbs.showModal()
  here?.focus()
}

export function chapters() {
  /** @type {HTMLAnchorElement | undefined} the last title at or before the page */
  let here
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (contents?.querySelectorAll('li a'))) {
    link.removeAttribute('aria-current')
    if (Number(link.dataset.page) <= current()) here = link
  }
  here?.setAttribute('aria-current', 'page')
  contents?.showModal()
  here?.focus()
}

for (const dialog of [thumbs, contents]) {
  dialog?.addEventListener('click', event => {
    const to = /** @type {Element} */ (event.target).closest('a')?.getAttribute('href'), number = Number(to?.match(/^#p(\d+)$/)?.[1])
    if (event.target !== dialog && (!to || !number && to !== '#pages')) return // a link to another part
    event.preventDefault()
    dialog.close()
    if (!number) return
    zoom.whole()
    show(number, {jump: true})
  })
}
