// @ts-check
// Changes of papers and categories.
import {say, words} from './dom.js'
import {Refused, call} from './call.js'
import {load, nodes} from './tree.js'

/** One change after the other: of two values of a setting that somebody types, the later one wins. */
export const change = (...what) => before = before.then(() => attempt(...what))
export const changeValue = (...what) => before = before.then(() => attemptValue(...what))
let before = Promise.resolve(true)

export const inWords = value => words['value-' + value] || value
const conflict = refused => refused instanceof Refused && refused.code === 'VERSION_CONFLICT' && refused.data && refused.data.current

/** Changes a value that a node has, if it still is what was shown. Mounts change values without a version, so that alone does not tell.
 * @param {import('./tree.js').Node} n @param {{shown: string, read: () => Promise<string>}} known */
async function attemptValue(n, operation, parameters, note, known, mine) {
  for (;;) {
    const now = nodes.get(n.id) || n, ifVersion = now.version
    try {
      const theirs = await known.read()
      if (theirs !== known.shown) {
        known.shown = theirs
        note.textContent = say('changedFirst', now.by || words.somebody, inWords(theirs) || words.nothing, inWords(mine) || words.nothing)
        return false
      }
      now.version = (await call(operation, {paperID: n.id, ifVersion, ...parameters})).version
      known.shown = await known.read()
      note.textContent = ''
      return true
    } catch (refused) {
      const current = conflict(refused)
      if (!current || !current.version) {
        note.textContent = current ? words.gone : refused.message
        return false
      }
      now.version = current.version
    }
  }
}

/** Changes a node, if nobody else has changed it. What is not done is said beside it. @param {import('./tree.js').Node} n */
async function attempt(n, operation, parameters, note) {
  const now = nodes.get(n.id) || n
  try {
    const {version} = await call(operation, {paperID: n.id, ifVersion: now.version, ...parameters})
    if (version) now.version = version
    note.textContent = ''
    return true
  } catch (refused) {
    const current = conflict(refused)
    if (current && current.version) {
      await load().catch(() => {})
      note.textContent = say('conflict', nodes.get(n.id)?.by || words.somebody)
    } else {
      note.textContent = current ? words.gone : refused.message
    }
    return false
  }
}
