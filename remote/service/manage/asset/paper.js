// @ts-check
// The paper or category that is chosen: what it is called, who sees it, where it is, and what becomes of it.
import {$, about, ask, copy, dialog, el, say, toast, words} from './dom.js'
import {call} from './call.js'
import {change} from './change.js'
import {below, byName, changed, jobs, load, moment, nodes, publicPath, publicURL, state, zone} from './tree.js'
import {category, chosen} from './cards.js'
import {send} from './upload.js'
import {settings} from './settings.js'
import {shop} from './shop.js'
import {numbers} from './numbers.js'
import {versions} from './versions.js'

/** A text that is changed in place. */
function editable(id, label, value, does, before = '') {
  const note = el('span.note', {role: 'alert'})
  const field = el('input', {value: value(), maxLength: 255, readOnly: !about.editor, onchange: async () => {
    if (field.value.trim() && field.value !== value()) await does(field.value.trim(), note)
    else field.value = value()
  }, onkeydown: event => {
    if (event.key === 'Escape') { field.value = value(); note.textContent = '' }
  }})
  let known = value()
  return {box: el('label', {}, el('span', {textContent: label}), before && el('small', {textContent: before}), field, note), update: () => {
    const now = value()
    if (field.value === known || field.value === now) {
      field.value = now
      if (now !== known) note.textContent = ''
    } else if (now !== known) {
      note.textContent = say('changedTo', nodes.get(id)?.by || words.somebody, now)
    }
    known = now
  }}
}

/** Who sees a paper. */
function visibility(n) {
  const now = () => nodes.get(n.id) || n
  const note = el('span.note', {role: 'alert'})
  const set = value => change(n, 'Paper/SetSetting', {setting: 'public', value}, note)
  const utc = field => new Date(field.value).toISOString()
  const from = el('input', {type: 'datetime-local', required: true}), to = el('input', {type: 'datetime-local', required: true})
  const period = el('form', {onsubmit: async event => {
    event.preventDefault()
    if (await change(n, 'Paper/SetPublicationPeriod', {from: utc(from), to: utc(to)}, note) && now().hidden) await set('true')
  }}, el('label', {textContent: words.from}, from), el('label', {textContent: words.to}, to), el('small', {textContent: zone}), el('button.main', {textContent: words.setPeriod}))
  const choice = (value, text, does) => el('label.choice', {}, el('input', {type: 'radio', name: 'visible', value, disabled: !about.editor, onchange: does}), text)
  const box = el('fieldset', {}, el('legend', {textContent: words.state}),
    choice('public', words.publicNow, async () => {
      if ((!now().from || await change(n, 'Paper/ClearPublicationPeriod', {}, note)) && now().hidden) await set('true')
      mark()
    }),
    choice('period', words.period, () => { period.hidden = false; from.focus() }),
    choice('hidden', words.notPublic, async () => { await set('false'); mark() }), period, note)
  const local = time => new Date(moment(time).getTime() - moment(time).getTimezoneOffset() * 60000).toISOString().slice(0, 16)
  let shown = ''
  function mark() {
    const value = now().hidden ? 'hidden' : now().from ? 'period' : 'public'
    box.querySelector(`input[value=${value}]`).checked = true
    period.hidden = value !== 'period' || !about.editor
    const begin = new Date(Math.ceil(Date.now() / 3600000) * 3600000 - new Date().getTimezoneOffset() * 60000)
    from.value = now().from ? local(now().from) : begin.toISOString().slice(0, 16)
    to.value = now().to ? local(now().to) : new Date(begin.getTime() + 28 * 86400000).toISOString().slice(0, 16)
  }
  const publish = el('button.main', {textContent: words.publish, onclick: () => set('true')})
  return {box, publish, update: () => {
    publish.hidden = !about.editor || !now().hidden
    const key = [now().hidden, now().from, now().to].join()
    if (key !== shown) mark()
    shown = key
  }}
}

/** Where a node is, as a choice of categories. */
function place(n) {
  const note = el('span.note', {role: 'alert'})
  const list = el('select', {disabled: !about.editor, onchange: () => move(n.id, list.value, note)})
  let shown = ''
  return {box: el('label', {}, el('span', {textContent: words.category}), list, note), update: () => {
    const options = []
    const add = (id, depth) => {
      if (id === n.id) return
      options.push([id, '\u2003'.repeat(depth) + nodes.get(id).name])
      for (const one of below(id).filter(one => !one.paper).sort(byName)) add(one.id, depth + 1)
    }
    add(about.root, 0)
    const key = JSON.stringify(options)
    const parent = nodes.get(n.id)?.parent || about.root
    if (key + parent === shown) return
    shown = key + parent
    list.replaceChildren(...options.map(([value, textContent]) => el('option', {value, textContent})))
    list.value = parent
  }}
}

/** Moves a node into a category. @param {string} id @param {string} to */
export async function move(id, to, note = el('span')) {
  const n = nodes.get(id)
  if (!n || n.parent === to) return
  const was = n.parent
  if (await change(n, 'Paper/RenamePaper', {name: n.name, destinationParentID: to}, note)) {
    Object.assign(nodes.get(id) || n, {parent: to})
    toast(say('moved', n.name, nodes.get(to).name), words.undo, () => nodes.get(id)?.parent === to && move(id, was))
  } else if (!note.isConnected) {
    toast(note.textContent)
  }
  changed()
}

/** Deletes a node, which can come back. */
async function remove(n, note) {
  if (!about.days && !window.confirm(say('deleteForGood', n.name))) return
  const now = nodes.get(n.id) || n
  if (!await change(now, 'Paper/DeletePaper', {}, note)) return
  nodes.delete(n.id)
  location.hash = n.parent
  changed()
  toast(say('deletedNow', n.name), about.days ? words.undo : '', async () => {
    try {
      const {entries} = await call('Deleted/GetDeleted', {paperID: n.id, limit: 1})
      await restore(entries.entry[0].entryid)
    } catch (refused) {
      toast(refused.message)
    }
  })
}

async function restore(entryID) {
  try {
    await call('Deleted/Restore', {entryID})
    await load()
  } catch (refused) {
    toast(refused.message)
  }
}

/** Lists what was deleted. */
export async function deleted() {
  const {entries} = await call('Deleted/GetDeleted', {limit: 200})
  const papers = (entries && entries.entry || []).filter(e => (e.kind === 'paper' || e.kind === 'category') && e.what === 'deleted')
  const shown = dialog(words.deleted, el('p', {textContent: say('deletedNote', about.days)}), el('ul.list', {}, ...papers.map(e => el('li', {}, el('span', {textContent: e.name}),
    el('small', {textContent: `${moment(e.time).toLocaleString(words.tag)} · ${e.account}`}), el('button', {textContent: words.restore, onclick: async () => { shown.close(); await restore(e.entryid) }})))),
  papers.length === 0 && el('p', {textContent: words.nothingDeleted}))
}

function share(n) {
  const url = publicURL(n.id), escaped = text => text.replace(/[&"<>]/g, c => `&#${c.charCodeAt(0)};`)
  const address = el('input', {readOnly: true, value: url}), code = el('textarea', {readOnly: true, rows: 3,
    value: `<iframe src="${escaped(url)}" title="${escaped(n.name)}" width="100%" height="640" style="border:0" loading="lazy" allow="fullscreen; clipboard-write"></iframe>`})
  const row = (label, field) => el('label', {}, el('span', {textContent: label}), field, el('button', {textContent: words.copy, onclick: event => { event.preventDefault(); copy(field) }}))
  dialog(words.share, state(n)[0] !== 'public' && el('p.note', {textContent: words.shareNote}), row(words.address, address), row(words.embed, code),
    el('a.qr', {href: `qr?paper=${n.id}`, download: n.segment + '.svg'}, el('img', {src: `qr?paper=${n.id}`, alt: say('qrOf', url)}), el('span', {textContent: words.download})))
}

function preview(n) {
  const field = el('input', {readOnly: true, ariaLabel: words.previewLink}), note = el('span.note', {role: 'alert'})
  const last = el('select', {ariaLabel: words.lasts}, ...[[60, words.hour], [1440, words.day], [10080, words.week]].map(([value, textContent]) => el('option', {value, textContent})))
  dialog(words.previewLink, el('p', {textContent: words.previewNote}), el('span.row', {}, last, el('button.main', {textContent: words.make, onclick: async () => {
    try {
      const {token} = await call('Paper/CreatePreviewToken', {paperID: n.id, validityMinutes: last.value, ip: ''})
      field.value = publicURL(n.id) + '?SecurityToken=' + token
      await copy(field)
    } catch (refused) {
      note.textContent = refused.message
    }
  }})), field, note)
}

/** Makes a category in the one that is shown. */
export async function newCategory() {
  const name = await ask(words.newCategory, words.name, words.make)
  if (!name) return
  const segment = name.normalize('NFKD').replace(/[\u0300-\u036f]/g, '').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'category'
  const parent = category(), taken = new Set(['manage', ...below(parent).map(n => n.segment.toLowerCase())])
  let urlName = segment.slice(0, 90)
  for (let i = 2; taken.has(urlName); i++) urlName = segment.slice(0, 90) + '-' + i
  try {
    const {paper} = await call('Paper/CreateCategory', {parentID: parent, name, urlName})
    await load()
    location.hash = paper.id
  } catch (refused) {
    toast(refused.message)
  }
}

/** Makes a paper from another one, as a draft. */
async function copyPaper(n) {
  const name = await ask(words.copyPaper, words.copyName, words.make)
  if (!name) return
  try {
    const {paper} = await call('Paper/CopyPaper', {paperID: n.id, destinationParentID: n.parent, name, urlName: '', draft: 'true'})
    await load()
    location.hash = paper.id
    toast(say('copiedAs', name))
  } catch (refused) {
    toast(refused.message)
  }
}

/** A button that opens something of a node, or says why it cannot. */
const opens = (text, open, get) => el('button', {textContent: text, onclick: () => open(get()).catch(failed => toast(failed.message))})

/** @type {{id: string, parts: any[], fresh: () => void} | null} */
let open = null
let wanted = ''

/** Opens a category beside its papers. */
export function editCategory() {
  wanted = category()
  drawPaper()
  $('aside input').focus()
}

function build(id) {
  const n = nodes.get(id), get = () => nodes.get(id) || n, note = el('span.note', {role: 'alert'})
  const name = editable(id, words.name, () => get().name, (text, at) => change(n, 'Paper/RenamePaper', {name: text}, at).then(done => done && Object.assign(get(), {name: text}) && changed()))
  const address = editable(id, words.address, () => get().segment, (text, at) => change(n, 'Paper/ChangePaperUrl', {newUrl: text}, at).then(done => done && Object.assign(get(), {segment: text}) && changed()), publicPath(n.parent))
  const parts = [name, address, place(n)]
  const close = el('button.quiet', {textContent: '×', ariaLabel: words.close, onclick: () => { wanted = ''; location.hash = n.paper ? n.parent : id; changed() }})
  const del = el('button.danger', {textContent: words.delete, hidden: !about.editor, onclick: () => remove(n, note)})
  if (!n.paper) return {id, parts, fresh: () => { del.disabled = below(id).length > 0; del.title = del.disabled ? words.notEmpty : '' }, inside: [el('div.head', {}, el('h2', {textContent: words.editCategory}), close), ...parts.map(p => p.box), about.editor && el('span.row', {}, opens(words.settings, settings, get), del), note]}
  const visible = visibility(n), picture = el('span.cover'), about_ = el('p.pages'), says = el('p.note'), job = el('p.job', {role: 'status'})
  const file = el('input', {type: 'file', accept: 'application/pdf,.pdf', hidden: true, onchange: () => { send(file.files, n.parent, id); file.value = '' }})
  const link = el('a.button', {target: '_blank', rel: 'noopener', textContent: words.open})
  let edition = ''
  return {id, parts: [visible, ...parts], fresh: () => {
    const now = get(), working = jobs.get(id)
    if (edition !== now.edition + now.pages) {
      edition = now.edition + now.pages
      if (about.editor) call('Ripper/GetProcessingStatus', {jobGuid: '', paperID: id}).then(last => { says.textContent = last.ProcessStatus === 'Pending' ? '' : last.Reason || '' }, () => { says.textContent = '' })
      picture.replaceChildren(...now.pages ? [el('img', {src: `cover?paper=${id}&large&of=${now.edition}`, alt: say('coverOf', now.name), onerror: event => event.target.remove()})] : [])
    }
    about_.textContent = now.pages ? say('pagesOf', now.pages) : words.noPages
    job.textContent = working ? working.failed || (working.pages ? say('page', working.page, working.pages) : words.processing) : ''
    job.classList.toggle('bad', Boolean(working && working.failed))
    link.href = publicURL(id)
    link.hidden = state(now)[0] !== 'public'
  }, inside: [el('div.head', {}, el('h2', {textContent: words.publication}), close), picture, about_, job, says,
    el('span.row', {}, visible.publish, link, el('button', {textContent: words.share, onclick: () => share(get())}), about.editor && el('button', {textContent: words.previewLink, onclick: () => preview(get())})),
    el('span.row', {}, opens(words.numbers, numbers, get), ...about.editor ? [opens(words.settings, settings, get), opens(words.shop, shop, get), opens(words.versions, versions, get), opens(words.copyPaper, copyPaper, get)] : []),
    name.box, address.box, visible.box, parts[2].box,
    about.editor && el('span.row', {}, el('button', {textContent: words.replace, onclick: () => file.click()}), file, del), note]}
}

/** Draws what is chosen. Fields in which somebody types keep their text. */
export function drawPaper() {
  const n = nodes.get(chosen())
  const id = n && n.paper ? n.id : wanted && wanted === category() && nodes.has(wanted) ? wanted : ''
  const aside = $('aside')
  if (!id) {
    open = null
    aside.hidden = true
    document.body.classList.remove('chosen')
    return
  }
  if (!open || open.id !== id) {
    const built = build(id)
    open = built
    aside.replaceChildren(...built.inside.filter(Boolean))
    aside.ariaLabel = words.publication
    aside.hidden = false
    aside.scrollTop = 0
    document.body.classList.add('chosen')
  }
  for (const part of open.parts) part.update()
  open.fresh()
}
