// @ts-check
// The picture of a page over the slider, under the mouse or while it is moved.
import { page } from './paging.js'

const slider = /** @type {HTMLInputElement} */ (document.getElementById('slider')), peek = /** @type {HTMLElement} */ (document.getElementById('peek'))
const knob = 16 // pixels of the slider's knob, whose middle does not reach the ends
let timer = 0

/** @param {number} number */
function show(number) {
  const box = slider.getBoundingClientRect(), low = Number(slider.min), high = Number(slider.max)
  const part = (number - low) / (high - low || 1), at = page(number)?.querySelector('img')
  const x = box.left + knob / 2 + (box.width - knob) * (slider.dir === 'rtl' ? 1 - part : part)
  peek.style.left = Math.min(innerWidth - 80, Math.max(80, x)) + 'px'
  peek.hidden = false
  if (peek.dataset.page === String(number)) return
  clearTimeout(timer)
  peek.dataset.page = String(number)
  const img = new Image(Number(at?.getAttribute('width')), Number(at?.getAttribute('height')))
  img.alt = ''
  peek.replaceChildren(...at ? [img] : [], String(number))
  timer = setTimeout(() => { img.src = at?.dataset.thumb || '' }, 60) // a mouse that passes asks for nothing
}

slider.addEventListener('pointermove', event => {
  if (event.buttons) return
  const box = slider.getBoundingClientRect(), part = Math.min(1, Math.max(0, (event.clientX - box.left - knob / 2) / (box.width - knob)))
  const low = Number(slider.min), high = Number(slider.max)
  show(Math.round(low + (high - low) * (slider.dir === 'rtl' ? 1 - part : part)))
})
slider.addEventListener('input', () => show(Number(slider.value)))
for (const kind of ['pointerleave', 'change', 'blur']) slider.addEventListener(kind, () => { peek.hidden = true })
