// @ts-check
// What the other scripts build elements with, and the texts.

export const about = JSON.parse(document.querySelector('#about').textContent)
export const words = about.words

/** @param {string} selector @returns {any} */
export const $ = selector => document.querySelector(selector)

/** Returns a text with values in its places. @param {string} word @param {...(string | number)} values */
export const say = (word, ...values) => words[word].replace(/{}/g, () => String(values.shift()))

/** Makes an element: tag.class, its properties, attributes and listeners (onclick), and what is in it. @param {string} tag @returns {any} */
export function el(tag, set = {}, ...inside) {
  const [name, ...classes] = tag.split('.')
  const made = document.createElement(name)
  made.classList.add(...classes)
  for (const [key, value] of Object.entries(set)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value)
    else if (key in made) made[key] = value
    else if (value !== null) made.setAttribute(key, value)
  }
  made.append(...inside.filter(Boolean))
  return made
}

/** Says something for some seconds, or for a minute what can be undone: only the last thing can. @param {string} text */
export function toast(text, does = '', act = () => {}) {
  const close = () => note.remove()
  if (does) for (const earlier of document.querySelectorAll('#toasts .undo')) earlier.remove()
  const note = el(does ? 'p.undo' : 'p', {}, el('span', {textContent: text}), does && el('button', {textContent: does, onclick: () => { close(); act() }}),
    el('button.quiet', {textContent: '×', ariaLabel: words.close, onclick: close}))
  $('#toasts').append(note)
  if (!does) setTimeout(close, 6000)
  else setTimeout(close, 60000)
}

/** Copies the text of a field by the way that needs neither a permission nor https. @param {HTMLInputElement | HTMLTextAreaElement} field */
export function copy(field) {
  field.select()
  document.execCommand('copy')
  toast(words.copied)
}

/** Opens a dialog, which goes when it is closed. @param {string} title @returns {any} */
export function dialog(title, ...inside) {
  const shown = el('dialog', {onclose: () => shown.remove(), onclick: event => { if (event.target === shown) shown.close() }},
    el('div', {}, el('h2', {textContent: title}), el('button.quiet', {textContent: '×', ariaLabel: words.close, onclick: () => shown.close()})), ...inside)
  document.body.append(shown)
  shown.showModal()
  return shown
}

/** Opens a dialog with much in it. @param {string} title @returns {any} */
export function wide(title, ...inside) {
  const shown = dialog(title, ...inside.filter(Boolean))
  shown.classList.add('wide')
  return shown
}

/** Makes a table. @param {string[]} head @param {Array<Array<string | number>>} rows @param {string} label */
export const table = (head, rows, label) => el('div.scroll', {tabIndex: 0, role: 'region', ariaLabel: label}, el('table', {}, el('thead', {}, el('tr', {}, ...head.map(textContent => el('th', {textContent})))),
  el('tbody', {}, ...rows.map(row => el('tr', {}, ...row.map(value => el('td', {textContent: String(value)})))))))

/** Stores content as a file of the browser's machine. @param {string} name @param {string} type @param {string | Blob} content */
export function keep(name, type, content) {
  const href = URL.createObjectURL(new Blob([content], {type}))
  el('a', {href, download: name}).click()
  setTimeout(() => URL.revokeObjectURL(href), 60000)
}

/** Asks for a text. @param {string} title @param {string} label @returns {Promise<string>} "" for none */
export function ask(title, label, does = title) {
  return new Promise(resolve => {
    const field = el('input', {required: true, maxLength: 255})
    const shown = dialog(title, el('form', {method: 'dialog', onsubmit: () => resolve(field.value.trim())}, el('label', {textContent: label}, field), el('button.main', {textContent: does})))
    shown.addEventListener('close', () => resolve(''))
  })
}
