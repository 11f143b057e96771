// @ts-check
// Reads the text aloud, with a voice of the browser, from the page that is shown.
import { root, main, page, current } from './paging.js'

const button = /** @type {HTMLElement} */ (document.getElementById('speak'))
let round = 0 // counts presses of the button: what a voice tells of an earlier one is dropped

/** @param {HTMLElement | undefined} block */
function look(block) {
  main.querySelector('.spoken')?.classList.remove('spoken')
  block?.classList.add('spoken')
  block?.scrollIntoView({block: 'center'})
  button.setAttribute('aria-pressed', String(!!block))
}

/** @param {HTMLElement[]} blocks @param {number} mine */
function speak(blocks, mine) {
  const [block, ...more] = blocks
  look(block)
  if (!block) return
  const said = new SpeechSynthesisUtterance(block.textContent || '')
  said.lang = root.lang
  said.onend = () => { if (mine === round) speak(more, mine) }
  said.onerror = () => { if (mine === round) look(undefined) }
  speechSynthesis.speak(said)
}

export function toggle() {
  const mine = ++round
  speechSynthesis.cancel()
  if (button.ariaPressed === 'true') return look(undefined)
  const from = page(current())
  speak([...main.querySelectorAll('.said :is(h3, h4, p, li)')].filter(block => from.contains(block) || from.compareDocumentPosition(block) & Node.DOCUMENT_POSITION_FOLLOWING).map(block => /** @type {HTMLElement} */ (block)), mine)
}

addEventListener('pagehide', () => speechSynthesis.cancel())
