// @ts-check
// The categories at the left, and the papers of the one that is chosen.
import {$, about, el, say, words} from './dom.js'
import {below, byName, jobs, lineage, nodes, path, progress, publicPath, state} from './tree.js'
import {cancel, mayRetry, retry, uploads} from './upload.js'

/** @returns {string} the node that the address names */
export const chosen = () => nodes.has(location.hash.slice(1)) ? location.hash.slice(1) : about.root

/** @returns {string} the category that is shown */
export function category() {
  const n = nodes.get(chosen())
  return n && n.paper ? n.parent : chosen()
}

/** @type {Map<string, any>} what was drawn, by the node's or the upload's key */
const drawn = new Map()
const keys = new WeakMap()
let last = 0

/** Draws the categories, of which those above the chosen one are open. */
export function drawTree() {
  const at = category()
  const open = new Set(lineage(at).map(n => n.id))
  const branch = id => {
    const inside = below(id).filter(n => !n.paper).sort(byName)
    const link = el('a', {href: '#' + id, textContent: nodes.get(id).name, ariaCurrent: id === at ? 'true' : null})
    link.dataset.category = id
    return el('li', {}, link, inside.length && open.has(id) && el('ul', {}, ...inside.map(n => branch(n.id))))
  }
  const key = JSON.stringify([at, [...nodes.values()].filter(n => !n.paper).map(n => [n.id, n.parent, n.name])])
  if (key === drawn.get('tree')) return
  drawn.set('tree', key)
  $('#tree ul').replaceChildren(branch(about.root))
}

/** @returns {import('./tree.js').Node[]} what is shown: the papers of a category, or what a search finds */
function found() {
  const wanted = $('#find').value.trim().toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const all = wanted.length ? [...nodes.values()].filter(n => n.id !== about.root && wanted.every(word => (n.name + ' ' + path(n.id)).toLocaleLowerCase().includes(word))) : below(category())
  const newest = $('#order').value === 'newest'
  return all.sort((a, b) => Number(a.paper) - Number(b.paper) || (newest && a.paper ? Number(b.id) - Number(a.id) : byName(a, b)))
}

/** Returns what an element shows, and makes it the first time. */
function card(key, make) {
  if (!drawn.has(key)) drawn.set(key, make())
  return drawn.get(key)
}

/** @param {import('./tree.js').Node} n */
function draw(n) {
  const shown = card('n' + n.id + n.paper, () => {
    const link = el('a', {href: '#' + n.id, draggable: about.editor})
    const of = {link, cover: el('span.cover'), name: el('span.name'), state: el('span.state'), job: el('span.job'), bar: el('progress', {max: 100}), item: el(n.paper ? 'li' : 'li.folder')}
    if (!n.paper) link.dataset.category = n.id
    of.item.dataset.node = n.id
    link.append(of.cover, of.name, of.state, of.job)
    of.item.append(link)
    return of
  })
  const set = (on, text) => { if (on.textContent !== text) on.textContent = text }
  set(shown.name, n.name)
  shown.link.title = publicPath(n.id)
  shown.link.ariaCurrent = n.id === chosen() ? 'true' : null
  if (!n.paper) {
    set(shown.state, say('holds', below(n.id).length))
    return shown.item
  }
  const [look, text] = n.pages ? state(n) : ['empty', words.noPages]
  set(shown.state, text)
  shown.state.dataset.look = look
  if (shown.edition !== n.edition + n.pages) {
    shown.edition = n.edition + n.pages
    shown.cover.replaceChildren(...n.pages ? [el('img', {src: `cover?paper=${n.id}&of=${n.edition}`, alt: '', loading: 'lazy', draggable: false, onerror: event => event.target.remove()})] : [])
  }
  const job = jobs.get(n.id)
  set(shown.job, job ? job.failed || (job.pages ? say('page', job.page, job.pages) : words.processing) : '')
  shown.job.classList.toggle('bad', Boolean(job && job.failed))
  shown.bar.hidden = !job || Boolean(job.failed)
  if (job && job.pages) shown.bar.value = 100 * job.page / job.pages
  else shown.bar.removeAttribute('value')
  if (!shown.bar.hidden && !shown.bar.isConnected) shown.link.append(shown.bar)
  else if (shown.bar.hidden) shown.bar.remove()
  return shown.item
}

/** @param {import('./upload.js').Upload} upload */
function drawUpload(upload) {
  if (!keys.has(upload)) keys.set(upload, 'u' + ++last)
  const shown = card(keys.get(upload), () => {
    const of = {text: el('span.job'), bar: el('progress', {max: 100, ariaLabel: upload.name}), again: el('button', {textContent: words.again, onclick: () => retry(upload)})}
    return {...of, item: el('li.upload', {}, el('div', {}, el('span.cover'), el('span.name', {textContent: upload.name}), of.text, of.bar, el('span.row', {}, of.again,
      el('button.quiet', {textContent: words.cancel, onclick: () => cancel(upload)}))))}
  })
  shown.text.textContent = upload.text
  shown.text.classList.toggle('bad', upload.failed)
  shown.bar.value = upload.percent
  shown.bar.hidden = upload.failed
  shown.again.hidden = !mayRetry(upload)
  return shown.item
}

/** Has a list show items, and leaves the focus where it is. */
function fill(list, items) {
  if (items.length === list.children.length && items.every((item, i) => item === list.children[i])) return
  const focused = document.activeElement
  list.replaceChildren(...items)
  if (focused instanceof HTMLElement && list.contains(focused)) focused.focus()
}

/** Draws the papers. What is there already stays the same element, so that nobody loses their place. */
export function drawCards() {
  const at = category()
  if (!nodes.has(at)) return
  const papers = found()
  const items = [...uploads.map(drawUpload), ...papers.filter(n => n.paper).map(draw)], folders = papers.filter(n => !n.paper).map(draw)
  fill($('#folders'), folders)
  fill($('#cards'), items)
  const searching = $('#find').value.trim()
  $('main h1').textContent = searching ? say('found', papers.length) : nodes.get(at).name
  $('#empty').hidden = items.length + folders.length > 0
  $('#empty').textContent = searching ? words.nothingFound : about.editor ? words.emptyHere : words.emptyForReaders
  $('#about-category').hidden = !about.editor || at === about.root || Boolean(searching)
}

/** Asks how far the service is, as long as it works on anything that somebody looks at. */
export async function watch() {
  for (;;) {
    await new Promise(resolve => setTimeout(resolve, 1000))
    if (document.visibilityState === 'visible' && [...jobs.values()].some(job => !job.failed)) await progress().catch(() => {})
  }
}
