// @ts-check
// Search in the text of this part.
import { root, main, pages, page, show, together, current, text, onTurn, words as said } from './paging.js'
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
const listed = 500 // hits
let sought = '', at = -1 // the index of the hit that is looked at
/** @typedef {{page: number, nth: number, begin: number, end: number}} Hit where it is: in the text of its page, which has others before */
/** @type {Hit[]} */
let hits = []

// A letter with what belongs to it, or what divides a word.
const letters = /\u00ad\s*|.[\p{M}\u1160-\u11ff\uff9e\uff9f]*/gsu

/** Returns what people type for a text, but for its case, as the service's search does (store.Phrase). @param {string} text */
const typed = text => text.replace(/\u00ad\s*|[\p{Cf}\p{VS}]/gu, '').replace(/[\p{Pd}−]/gu, '-').replace(/[‘’‛ʼ′´]/g, "'").replace(/[“”„‟″]/g, '"').normalize('NFKC')

/** Yields where a phrase begins and ends in a text, with any white space between its words, and within them what the
 * expression between has. @param {string} text @param {string} phrase @returns {Generator<[number, number]>} */
function* matches(text, phrase, between = '') {
  const words = typed(phrase).trim().split(/\s+/).map(word => [...word].map(c => `\\u{${c.codePointAt(0)?.toString(16)}}`).join(between))
  if (!words[0]) return
  let all = ''
  /** @type {[number, number][]} where each unit of all comes from */
  const from = []
  for (const {0: letter, index} of text.matchAll(letters)) {
    const plain = letter.length > 1 || letter > '~' ? typed(letter) : letter
    for (let i = plain.length; i--;) from.push([index, index + letter.length])
    all += plain
  }
  // with the flags i and u, an expression uses Unicode's simple case folding
  for (const {0: found, index} of all.matchAll(new RegExp(words.join('\\s+'), 'giu'))) yield [from[index][0], from[index + found.length - 1][1]]
}

/** Returns the element with a page's text, if the text is loaded. @param {HTMLElement} article */
const words = article => article.querySelector('.said')

/** Finds all that is like a phrase. @param {string} phrase */
function find(phrase) {
  sought = phrase
  hits = []
  at = -1
  list.replaceChildren()
  if (!phrase.trim()) {
    told.textContent = ''
    return
  }
  for (const article of pages) {
    const all = words(article)?.textContent || ''
    let nth = 0
    for (const [begin, end] of matches(all, phrase)) {
      if (hits.length < listed) list.append(hit(article, all, begin, end))
      hits.push({page: Number(article.id.slice(1)), nth: nth++, begin, end})
    }
  }
  const said = hits.length ? counted() : told.dataset.none || ''
  const whole = pages.length >= Number(main.dataset.total) && !main.querySelector('.elsewhere, .later')
  told.textContent = whole ? said : said + ' ' + told.dataset.partly
}

/** Says how many hits there are. */
function counted() {
  const forms = JSON.parse(told.dataset.found || '')
  return said(forms[number.select(hits.length)] ?? forms.other, hits.length)
}

/** @param {HTMLElement} article @param {string} all @param {number} begin @param {number} end */
function hit(article, all, begin, end) {
  const item = document.createElement('li'), link = document.createElement('a'), place = document.createElement('b'), snippet = document.createElement('span'), mark = document.createElement('mark')
  link.href = '#' + article.id
  place.textContent = article.querySelector('h2')?.textContent || ''
  place.lang = dialog.lang
  mark.textContent = all.slice(begin, end)
  // it begins and ends with words, in languages that have blanks between them
  const before = begin > around ? '… ' + all.slice(begin - around, begin).replace(/^\S*\s+(?=\S)/, '') : all.slice(0, begin)
  const after = end + around < all.length ? all.slice(end, end + around).replace(/\s+\S*$/, '') + ' …' : all.slice(end)
  snippet.append(before, mark, after)
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
  for (const number of numbers) if (hits.some(hit => hit.page === number)) layer.mark(number, text => matches(text, sought, '(?:-?\\n)?')).then(look) // words of a layer have line breaks
}

/** Returns where a hit is in the text. @param {Hit} hit */
function range({page: number, begin, end}) {
  const of = words(page(number))
  if (!of) return
  const [startContainer, after] = layer.before(of, begin + 1), [endContainer, endOffset] = layer.before(of, end)
  return new StaticRange({startContainer, startOffset: after - 1, endContainer, endOffset})
}

function markText() {
  if (!('highlights' in CSS)) return
  const marks = new Highlight()
  for (const hit of hits) { // there may be more than a call can take
    const place = range(hit)
    if (place) marks.add(place)
  }
  CSS.highlights.set('found', marks)
}

/** Shows which of the marks is the hit that is looked at. */
function look() {
  const hit = hits[at]
  for (const one of document.querySelectorAll('.mark')) {
    const is = hit && one.closest('article')?.id === 'p' + hit.page && Number(one.getAttribute('data-nth')) === hit.nth
    if (is && !one.matches('.now') && (root.classList.contains('zoomed') || one.closest('.long'))) one.scrollIntoView({block: 'center', inline: 'center'})
    one.classList.toggle('now', is)
  }
  const place = hit && (text() || page(hit.page).matches('.plain')) && range(hit)
  if (!('highlights' in CSS)) return
  CSS.highlights.delete('now')
  if (!place) return
  CSS.highlights.set('now', new Highlight(place))
  place.startContainer.parentElement?.scrollIntoView({block: 'center'})
}

/** Looks at a hit. @param {number} index */
function go(index) {
  at = index
  const {page: to} = hits[at]
  if (!together(current()).includes(to)) {
    zoom.whole()
    show(to, {jump: true})
  }
  tell(together(current()))
  look()
}

/** Says in the bar of hits which one is looked at. @param {number[]} numbers */
function tell(numbers) {
  if (at < 0 || !text() && !numbers.includes(hits[at].page)) at = hits.findIndex(hit => numbers.includes(hit.page))
  const place = bar.querySelector('p')
  bar.hidden = !hits.length
  back.disabled = before(numbers) < 0
  on.disabled = after(numbers) < 0
  if (place) place.textContent = at < 0 ? counted() : said(bar.dataset.hit, at + 1, hits.length)
}

/** @param {number[]} numbers */
const before = numbers => at < 0 ? hits.findLastIndex(hit => hit.page < numbers[0]) : at - 1
/** @param {number[]} numbers */
const after = numbers => at < 0 ? hits.findIndex(hit => hit.page > numbers[0]) : at + 1 < hits.length ? at + 1 : -1

bar.addEventListener('click', event => {
  const step = Number(/** @type {Element} */ (event.target).closest('button')?.dataset.step ?? NaN), numbers = together(current())
  if (step) go(step > 0 ? after(numbers) : before(numbers))
  else if (step === 0) {
    find('')
    layer.clear()
    markText()
    look()
    bar.hidden = true
    main.focus()
  }
})

/** Opens the dialog, with the last results. */
export function open() {
  dialog.showModal()
  field.focus() // an attribute would be an error in a frame
  field.select()
}

/** Finds a phrase, and marks it on the pages shown. @param {string} phrase */
async function seek(phrase) {
  if (main.querySelector('.later')) await load().catch(() => { /* search the text that is loaded */ })
  find(phrase)
  if (text() || main.querySelector('.plain')) markText()
  if (!text()) mark(together(current()))
  tell(together(current()))
  look()
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
  dialog.close()
  go([...list.children].indexOf(/** @type {Element} */ (link.parentElement)))
  main.focus()
})
onTurn(mark)
onTurn(tell)
