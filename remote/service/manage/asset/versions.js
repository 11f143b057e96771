// @ts-check
// Earlier PDFs of a paper.
import {el, keep, say, toast, wide, words} from './dom.js'
import {call, headers} from './call.js'
import {moment, progress} from './tree.js'

const size = new Intl.NumberFormat(words.tag, {style: 'unit', unit: 'megabyte', maximumFractionDigits: 1})

/** Opens the earlier PDFs. @param {import('./tree.js').Node} n */
export async function versions(n) {
  const {entries} = await call('Deleted/GetDeleted', {paperID: n.id, limit: 200})
  const all = (entries && entries.entry || []).filter(e => e.kind === 'pdf')
  const look = e => async () => {
    const reply = await fetch('call/Media/GetContent', {method: 'POST', headers: headers(), body: new URLSearchParams({entryID: e.entryid})})
    const content = await reply.blob()
    if (content.type.startsWith('application/json')) toast(words.gone)
    else keep(`${n.segment}-${e.time.slice(0, 10)}.pdf`, 'application/pdf', content)
  }
  const back = e => async () => {
    try {
      await call('Deleted/Restore', {entryID: e.entryid})
      shown.close()
      toast(words.comesBack)
      await progress()
    } catch (refused) {
      toast(refused.message)
    }
  }
  const shown = wide(say('versionsOf', n.name), el('p', {textContent: words.versionsNote}), all.length === 0 && el('p', {textContent: words.noVersions}),
    el('ul.list', {}, ...all.map(e => el('li', {}, el('span', {textContent: moment(e.time).toLocaleString(words.tag)}), el('small', {textContent: `${e.account} · ${size.format(Number(e.bytes) / 1e6)}`}),
      el('span.row', {}, el('button', {textContent: words.look, onclick: look(e)}), el('button', {textContent: words.restore, onclick: back(e)}))))))
}
