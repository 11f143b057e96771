// @ts-check
// Changes of papers and categories.
import {say, words} from './dom.js'
import {Refused, call} from './call.js'
import {load, nodes} from './tree.js'

/** One change after the other: of two values of a setting, the later one wins. */
export const change = (...what) => before = before.then(() => attempt(...what))
let before = Promise.resolve(true)

/** Changes a node, if nobody else has changed it; of values, which come with ifVersion '', the last one wins, as in a mount.
 * What is not done is said beside it. @param {import('./tree.js').Node} n */
async function attempt(n, operation, parameters, note) {
  const now = nodes.get(n.id) || n
  try {
    const {version} = await call(operation, {paperID: n.id, ifVersion: now.version, ...parameters})
    if (version) now.version = version
    note.textContent = ''
    return true
  } catch (refused) {
    const current = refused instanceof Refused && refused.code === 'VERSION_CONFLICT' && refused.data && refused.data.current
    if (current && current.version) {
      await load().catch(() => {})
      note.textContent = say('conflict', nodes.get(n.id)?.by || words.somebody)
    } else {
      note.textContent = current ? words.gone : refused.message
    }
    return false
  }
}
