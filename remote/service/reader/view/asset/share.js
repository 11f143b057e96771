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
  address.focus()
  address.select()
}

/** Copies a text; in frames that may not, and in pages without encryption, browsers have only the old way: a field in
 * the dialog that is open. @param {string} text @param {HTMLElement} within */
export async function copyText(text, within) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const field = Object.assign(document.createElement('textarea'), {value: text, className: 'away'}), from = /** @type {HTMLElement?} */ (document.activeElement)
    within.append(field)
    field.select()
    const done = document.execCommand('copy')
    field.remove()
    from?.focus()
    return done
  }
}

/** @param {HTMLInputElement | HTMLTextAreaElement} field */
async function copy(field) {
  field.select()
  if (await copyText(field.value, dialog)) told.textContent = told.dataset.done || ''
}

dialog.addEventListener('click', event => {
  const of = /** @type {HTMLElement} */ (event.target).closest('button')?.dataset.copies
  if (event.target === dialog) dialog.close()
  if (of) copy(of === 'embed' && embed ? embed : address)
})
send.addEventListener('click', () => navigator.share({title: document.title, url: address.value}).catch(() => { /* the reader changed their mind */ }))
