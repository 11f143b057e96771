// @ts-check
// The dialog that shares the address, and has the code that shows the paper in another site.
const dialog = /** @type {HTMLDialogElement} */ (document.getElementById('sharing'))
const address = /** @type {HTMLInputElement} */ (document.getElementById('address')), embed = /** @type {HTMLTextAreaElement?} */ (document.getElementById('embed'))
const told = /** @type {HTMLElement} */ (document.getElementById('copied')), send = /** @type {HTMLElement} */ (document.getElementById('send'))

/** @param {string} text */
const escaped = text => text.replace(/[&"<>]/g, c => `&#${c.charCodeAt(0)};`)

export function open() {
  told.textContent = ''
  address.value = location.href
  if (embed) embed.value = `<iframe src="${escaped(location.href)}" title="${escaped(document.title)}" width="100%" height="640" style="border:0" loading="lazy" allow="fullscreen; clipboard-write"></iframe>`
  send.hidden = !navigator.share
  dialog.showModal()
  address.select()
}

/** Copies a field; in pages without encryption, browsers have only the old way. @param {HTMLInputElement | HTMLTextAreaElement} field */
async function copy(field) {
  field.select()
  if (navigator.clipboard) await navigator.clipboard.writeText(field.value)
  else if (!document.execCommand('copy')) return
  told.textContent = told.dataset.done || ''
}

dialog.addEventListener('click', event => {
  const of = /** @type {HTMLElement} */ (event.target).closest('button')?.dataset.copies
  if (event.target === dialog) dialog.close()
  if (of) copy(of === 'embed' && embed ? embed : address).catch(() => { /* the browser forbids it: the text is selected */ })
})
send.addEventListener('click', () => navigator.share({title: document.title, url: address.value}).catch(() => { /* the reader changed their mind */ }))
