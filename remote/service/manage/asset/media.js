// @ts-check
// Files of the media library.
import {el, words} from './dom.js'
import {answerOf, call, headers} from './call.js'

/** Stores a file in a directory at the top of the library, and returns its path and id. Another file of its name stays: other papers may show it. @param {string} directory @param {File} file */
export async function intoMedia(directory, file) {
  const tree = await call('Media/GetTree')
  const known = (tree.directory || []).find(one => one.name.toLowerCase() === directory)
  const parent = known ? known.directoryid : (await call('Media/CreateDirectory', {parentID: 0, name: directory})).directoryid
  for (let count = 1; ; count++) {
    const name = count === 1 ? file.name : file.name.replace(/(\.[^.]*)?$/, `-${count}$1`)
    const form = new FormData()
    for (const [key, value] of Object.entries({parentID: parent, name, ifVersion: 'none', base64File: file})) form.append(key, value)
    const reply = await fetch('call/Media/UploadFile', {method: 'POST', headers: headers(), body: form})
    const body = await reply.json().catch(() => null)
    if (body && body.code === 'VERSION_CONFLICT') continue
    return [(known ? known.name : directory) + '/' + name, answerOf(reply.status, body).fileid]
  }
}

/** A place where one file is dropped, or chosen. @param {string} accept @param {string} choose @param {string} drop @param {(file: File) => void} take */
export function dropZone(accept, choose, drop, take) {
  const field = el('input', {type: 'file', accept, hidden: true, onchange: () => { if (field.files[0]) take(field.files[0]); field.value = '' }})
  const over = on => event => {
    event.preventDefault()
    event.stopPropagation()
    zone.classList.toggle('over', on)
    if (event.type === 'drop' && event.dataTransfer.files[0]) take(event.dataTransfer.files[0])
  }
  const zone = el('span.drop', {ondragover: over(true), ondragleave: over(false), ondrop: over(false)}, el('button', {textContent: choose, onclick: () => field.click()}), el('small', {textContent: drop}), field)
  return zone
}
