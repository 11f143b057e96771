// @ts-check
// PDFs on their way to the service: two at a time, the others wait.
import {about, say, words} from './dom.js'
import {Refused, answerOf, headers} from './call.js'
import {changed, jobs, nodes} from './tree.js'

/** @typedef {{file: File, name: string, parent: string, paper: string, edition: string, text: string, percent: number, failed: boolean, request: XMLHttpRequest | null}} Upload */

/** @type {Upload[]} those that are not done */
export const uploads = []
const most = 2

/** The pages that a PDF of a paper may replace: those that are there when it is dropped. @param {string} paper */
const edition = paper => nodes.get(paper)?.edition || ''

/** Sends PDFs: each becomes a paper of a category, or the one replaces the PDF of a paper. @param {Iterable<File>} files */
export function send(files, parent, paper = '') {
  for (const file of files) {
    const upload = {file, parent, paper, edition: edition(paper), name: file.name.replace(/\.pdf$/i, '').replace(/[_\s]+/g, ' ').trim() || file.name, text: words.waiting, percent: 0, failed: false, request: null}
    if (paper && nodes.has(paper)) upload.name = nodes.get(paper).name
    uploads.push(upload)
    if (!isPDF(file)) fail(upload, words.noPDF)
  }
  next()
}

const isPDF = file => /\.pdf$/i.test(file.name) || file.type === 'application/pdf'
/** Reports whether trying again can help. @param {Upload} upload */
export const mayRetry = upload => upload.failed && isPDF(upload.file)

/** Starts again what failed. @param {Upload} upload */
export function retry(upload) {
  Object.assign(upload, {edition: edition(upload.paper), failed: false, text: words.waiting, percent: 0})
  next()
}

/** Ends an upload. @param {Upload} upload */
export function cancel(upload) {
  const at = uploads.indexOf(upload)
  if (at >= 0) uploads.splice(at, 1)
  if (upload.request) upload.request.abort()
  next()
}

export const busy = () => uploads.some(u => !u.failed)

function next() {
  for (const upload of uploads.filter(u => !u.failed && !u.request).slice(0, most - uploads.filter(u => u.request).length)) begin(upload)
  changed()
}

/** @param {Upload} upload */
function fail(upload, text) {
  Object.assign(upload, {failed: true, text, request: null})
  changed()
}

/** @param {Upload} upload */
function begin(upload) {
  const form = new FormData()
  const fields = upload.paper ? {paperID: upload.paper, ifVersion: upload.edition} : {paperID: '', parentID: upload.parent, name: upload.name.slice(0, 255), draft: 'true'}
  for (const [name, value] of Object.entries({...fields, xmlOptions: about.options})) form.append(name, value)
  form.append('base64Pdf', upload.file) // last, so that everything else is judged before it is sent
  const request = upload.request = new XMLHttpRequest()
  request.open('POST', 'call/Ripper/ProcessPDF')
  for (const [name, value] of Object.entries(headers())) request.setRequestHeader(name, value)
  request.upload.onprogress = event => {
    upload.percent = Math.floor(100 * event.loaded / event.total)
    upload.text = upload.percent < 100 ? say('uploading', upload.percent) : words.storing
    changed()
  }
  request.onload = () => {
    let body = null
    try { body = JSON.parse(request.responseText) } catch { /* a proxy answers in its own words */ }
    try {
      const data = answerOf(request.status, body)
      const paper = upload.paper || data.paper.id
      if (!jobs.has(paper)) jobs.set(paper, {job: data.jobGuid})
      upload.paper = paper
      uploads.splice(uploads.indexOf(upload), 1)
      for (const later of uploads) if (later.paper === paper) later.edition = '' // it replaces this one
    } catch (refused) {
      fail(upload, refused instanceof Refused && refused.code === 'VERSION_CONFLICT' ? say('replacedBefore', nodes.get(upload.paper)?.by || words.somebody) : refused.message)
    }
    upload.request = null
    next()
  }
  request.onerror = () => { fail(upload, words.cut); next() }
  request.send(form)
}

window.addEventListener('beforeunload', event => { if (busy()) event.preventDefault() })
