// @ts-check
// Handles pictures that fail to load. If the paper was processed again, its pictures have new addresses:
// the page reloads, once for each picture. Otherwise the browser requests the picture once more.
import { onTurn } from './paging.js'

const seen = new WeakSet()
/** @type {Promise<string> | undefined} the service's current page, shared by pictures that fail at the same time */
let page

/** Reports whether the service's page no longer has the picture. @param {HTMLImageElement} img */
async function replaced(img) {
  const id = new URL(img.src).searchParams.get('PageID'), key = 'again ' + id
  try {
    if (sessionStorage.getItem(key)) return false
    page ??= fetch(location.href).then(reply => reply.ok ? reply.text() : '').finally(() => { page = undefined })
    const now = await page
    if (!now.includes('id="pages"') || now.includes('PageID=' + id + '&')) return false
    sessionStorage.setItem(key, 'yes')
    return true
  } catch {
    return false // no network, or no storage, without which reloading might never end
  }
}

/** @param {HTMLImageElement} img */
export async function failed(img) {
  if (seen.has(img)) return
  seen.add(img)
  if (await replaced(img)) {
    const busy = document.querySelector('dialog[open]:not(#thumbs)')
    if (!busy) return location.reload()
    return busy.addEventListener('close', () => location.reload(), {once: true})
  }
  img.dataset.again = 'yes'
  onTurn(() => {
    if (img.dataset.again !== 'yes') return
    img.dataset.again = 'done'
    if (img.srcset) img.srcset = img.srcset
    else img.src = img.src
  })
}
