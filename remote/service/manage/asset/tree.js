// @ts-check
// The papers and categories, as the service has them, and the PDFs that it works on.
import {about, say, words} from './dom.js'
import {call} from './call.js'

/** @typedef {{id: string, parent: string, paper: boolean, name: string, segment: string, from: string, to: string, version: string, hidden: boolean, edition: string, pages: number, by: string}} Node */

/** @type {Map<string, Node>} */
export const nodes = new Map()
/** @type {Map<string, {job: string, page?: number, pages?: number, failed?: string}>} by paper */
export const jobs = new Map()

let drawing = false
/** @type {Array<() => void>} */
const views = []
/** Draws a view now and after each change. @param {() => void} view */
export const shows = view => { views.push(view) }

export function changed() {
  if (drawing) return
  drawing = true
  queueMicrotask(() => {
    drawing = false
    for (const view of views) view()
  })
}

/** @param {any} from @returns {Node} */
function node(from, parent, paper, segment) {
  const by = nodes.get(from.id)?.by || ''
  return {id: from.id, parent, paper, segment, name: from.name, from: from['publicationperiod-from'] || '', to: from['publicationperiod-to'] || '', version: from.version,
    hidden: from.public === 'false', edition: from.edition || '', pages: Number(from.pages) || 0, by: from.account || by}
}

/** Reads the tree. */
export async function load() {
  const data = await call('Paper/GetAllPapers', {paperID: about.root})
  const before = new Set(nodes.keys())
  const add = (from, parent, paper) => {
    before.delete(from.id)
    nodes.set(from.id, node(from, parent, paper, from.url.split('/').at(-2)))
    for (const one of from.category || []) add(one, from.id, false)
    for (const one of from.paper || []) add(one, from.id, true)
  }
  add(data.category, '', false)
  for (const id of before) nodes.delete(id)
  await progress()
  changed()
}

/** Reads how far the service is. */
export async function progress() {
  const {processes} = await call('Ripper/GetProcessingPapers')
  for (const one of processes && processes.process || []) jobs.set(one['paper-id'], {job: one['job-guid'], page: one.page, pages: one.pages})
  changed()
}

/** Takes what Events.Wait tells. @param {any} news @returns {Promise<void>} */
export async function take(news) {
  const reread = news.lost || (news.tree || []).some(tree => tree.kind === 'papers')
  for (const event of news.event || []) {
    if (event.kind === 'node' && event.gone) nodes.delete(event.id)
    else if (event.kind === 'node') nodes.set(event.id, node(event, event.parent === '0' ? '' : event.parent, event.is === 'paper', event.url))
    else if (event.kind === 'job') await worked(event)
    else if (event.kind === 'setting' && nodes.has(event.id)) nodes.get(event.id).by = event.account || ''
  }
  if (reread || (news.event || []).some(event => event.kind === 'setting' && event.name === 'public')) return load()
  changed()
}

async function worked(event) {
  if (event.status === 'Pending') {
    jobs.set(event.id, {job: event.job})
  } else if (event.status === 'Failed') {
    const why = await call('Ripper/GetProcessingStatus', {jobGuid: event.job}).catch(() => ({}))
    jobs.set(event.id, {job: event.job, failed: why.Reason || words.failed})
  } else {
    jobs.delete(event.id)
  }
}

/** @param {string} id */
export const below = id => [...nodes.values()].filter(n => n.parent === id)

/** Returns a node and all above it, from the top. @param {string} id @returns {Node[]} */
export function lineage(id) {
  const found = nodes.get(id)
  return found ? [...lineage(found.parent), found] : []
}

/** Returns the address of a node, below that of the tenant. @param {string} id */
export const path = id => lineage(id).slice(1).map(n => n.segment + '/').join('')
export const publicURL = id => about.public + path(id)
/** Returns the address of a node without the host. @param {string} id */
export const publicPath = id => decodeURI(new URL(publicURL(id)).pathname)

const names = new Intl.Collator(words.tag, {numeric: true})
/** @param {Node} a @param {Node} b */
export const byName = (a, b) => names.compare(a.name, b.name)

export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
export const moment = time => new Date(time.replace(' ', 'T') + 'Z')
const short = new Intl.DateTimeFormat(words.tag, {dateStyle: 'medium', timeStyle: 'short'})

/** Returns who sees a paper: a word for its look, and words for people. @param {Node} n */
export function state(n) {
  if (n.hidden) return ['hidden', words.notPublic]
  if (!n.from) return ['public', words.public]
  if (Date.now() < moment(n.from).getTime()) return ['later', say('publicFrom', short.format(moment(n.from)))]
  if (Date.now() < moment(n.to).getTime()) return ['public', say('publicTo', short.format(moment(n.to)))]
  return ['over', say('overSince', short.format(moment(n.to)))]
}
