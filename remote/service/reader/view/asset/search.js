// @ts-check
// Search in the text of this part. Case is folded as in the service's search: with the flags
// i and u, a regular expression uses Unicode's simple case folding.
import { main, pages, page, show, together, current, text, onTurn, words as said } from './paging.js'
import * as layer from './layer.js'
import { load } from './text.js'
import * as zoom from './zoom.js'

const dialog = /** @type {HTMLDialogElement} */ (document.getElementById('search'))
const field = /** @type {HTMLInputElement} */ (document.getElementById('phrase'))
const told = /** @type {HTMLElement} */ (document.getElementById('hits'))
const list = /** @type {HTMLElement} */ (dialog.querySelector('ol'))
const around = 50 // characters of a snippet on either side of the match

const bar = /** @type {HTMLElement} */ (document.getElementById('found')), [back, on] = /** @type {NodeListOf<HTMLButtonElement>} */ (bar.querySelectorAll('button'))

const number = new Intl.PluralRules(dialog.lang)
let sought = ''
/** @type {Set<number>} pages that contain the phrase */
const hits = new Set()

/** @param {string} phrase */
function expression(phrase) {
  return new RegExp(phrase.trim().split(/\s+/).map(layer.literal).join('\\s+'), 'iu')
}

/** Returns the element with a page's text, if the text is loaded. @param {HTMLElement} article */
const words = article => article.querySelector('.words > p:not([lang])')

/** Finds the pages with a phrase. @param {string} phrase */
function find(phrase) {
  sought = phrase
  hits.clear()
  list.replaceChildren()
  if (!phrase.trim()) {
    told.textContent = ''
    return
  }
  const wanted = expression(phrase)
  for (const article of pages) {
    const all = words(article)?.textContent || '', found = wanted.exec(all)
    if (!found) continue
    hits.add(Number(article.id.slice(1)))
    list.append(hit(article, all, found))
  }
  const said = hits.size ? counted() : told.dataset.none || ''
  const whole = pages.length >= Number(main.dataset.total) && !main.querySelector('.elsewhere, .later')
  told.textContent = whole ? said : said + ' ' + told.dataset.partly
}

/** Says how many pages have the phrase. */
function counted() {
  const forms = JSON.parse(told.dataset.found || '')
  return said(forms[number.select(hits.size)] ?? forms.other, hits.size)
}

/** @param {HTMLElement} article @param {string} all @param {RegExpExecArray} found */
function hit(article, all, found) {
  const item = document.createElement('li'), link = document.createElement('a'), place = document.createElement('b'), snippet = document.createElement('span'), mark = document.createElement('mark')
  const end = found.index + found[0].length
  link.href = '#' + article.id
  place.textContent = article.querySelector('h2')?.textContent || ''
  place.lang = dialog.lang
  mark.textContent = found[0]
  snippet.append((found.index > around ? '…' : '') + all.slice(Math.max(0, found.index - around), found.index), mark, all.slice(end, end + around) + (end + around < all.length ? '…' : ''))
  snippet.lang = document.documentElement.lang
  snippet.dir = 'auto'
  link.append(place, ' ', snippet)
  item.append(link)
  return item
}

/** Marks the phrase on the pages shown. The text view is marked as a whole, by markText. @param {number[]} numbers */
function mark(numbers) {
  layer.clear()
  if (text()) return
  for (const number of numbers) if (hits.has(number)) layer.mark(number, sought)
}

function markText() {
  if (!('highlights' in CSS)) return
  const marks = new Highlight()
  for (const number of hits) {
    const node = words(page(number))?.firstChild
    if (!node) continue
    for (const found of (node.textContent || '').matchAll(new RegExp(expression(sought), 'giu'))) {
      marks.add(new StaticRange({startContainer: node, startOffset: found.index, endContainer: node, endOffset: found.index + found[0].length}))
    }
  }
  CSS.highlights.set('found', marks)
}

/** Says in the bar of hits which one is shown. @param {number[]} numbers */
function tell(numbers) {
  const all = [...hits], at = all.findIndex(number => numbers.includes(number)), place = bar.querySelector('p')
  bar.hidden = !all.length
  back.disabled = !(all[0] < numbers[0])
  on.disabled = !(all[all.length - 1] > numbers[numbers.length - 1])
  if (place) place.textContent = at < 0 ? counted() : said(bar.dataset.hit, at + 1, all.length)
}

bar.addEventListener('click', event => {
  const step = Number(/** @type {Element} */ (event.target).closest('button')?.dataset.step ?? NaN), numbers = together(current()), all = [...hits]
  const to = step > 0 ? all.find(number => number > numbers[numbers.length - 1]) : step < 0 ? all.reverse().find(number => number < numbers[0]) : 0
  if (to) {
    zoom.whole()
    show(to, {jump: true})
  } else if (step === 0) {
    find('')
    layer.clear()
    bar.hidden = true
    main.focus()
  }
})

/** Opens the dialog, with the last results. */
export function open() {
  dialog.showModal()
  field.select()
}

/** Finds a phrase, and marks it on the pages shown. @param {string} phrase */
async function seek(phrase) {
  if (main.querySelector('.later')) await load().catch(() => { /* search the text that is loaded */ })
  find(phrase)
  if (text() || main.querySelector('.plain')) markText()
  if (!text()) mark(together(current()))
  tell(together(current()))
}

/** Marks a phrase without the dialog. @param {string} phrase */
export function highlight(phrase) {
  field.value = phrase
  seek(phrase)
}

dialog.querySelector('#find')?.addEventListener('submit', event => {
  event.preventDefault()
  seek(field.value)
})
dialog.addEventListener('click', event => {
  const link = /** @type {Element} */ (event.target).closest('a')
  if (event.target === dialog) dialog.close()
  if (!link) return
  event.preventDefault()
  const number = Number(link.hash.slice(2))
  dialog.close()
  zoom.whole()
  show(number, {jump: true})
  main.focus()
})
onTurn(mark)
onTurn(tell)
