// @ts-check
// The bar, the keys and the dialogs. The page is complete without them. The files of this folder are one script, in the order
// of their names, because each script is a request of the first view: what one declares, the later ones use.
import * as paging from './paging.js'

const { root, main, pages, pictures } = paging

/** @param {string} id @returns {any} */
const element = id => document.getElementById(id)

/** Shows a button that needs scripts. @param {string} id @param {(event: Event) => void} act */
function button(id, act) {
  const b = element(id)
  if (!b) return
  b.hidden = false
  b.addEventListener('click', act)
}

/** Waits for a script that is loaded on demand. If that fails, the bar says so, but without a
 * connection, which the banner tells. @template T @param {Promise<T>} script @returns {Promise<T | void>} */
const wanted = script => script.catch(() => { if (navigator.onLine) element('place').textContent = element('place').dataset.failed })

// Paging.
button('previous', () => paging.turn(-1))
button('next', () => paging.turn(1))
pictures.onBegin(() => import('./turn.js').then(t => paging.onMove(t.move), () => { /* pages turn without motion */ }))
paging.onTurn(() => {
  element('previous').disabled = paging.atBegin()
  element('next').disabled = paging.atEnd()
})
