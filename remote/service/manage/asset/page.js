// @ts-check
// The publisher's page.
import {$, about, toast, words} from './dom.js'
import {call} from './call.js'
import {changed, nodes, shows} from './tree.js'
import {follow} from './live.js'
import {send} from './upload.js'
import {category, drawCards, drawTree, watch} from './cards.js'
import {deleted, drawPaper, editCategory, move, newCategory} from './paper.js'

for (const one of document.querySelectorAll('.edit')) /** @type {HTMLElement} */ (one).hidden = !about.editor
for (const view of [drawTree, drawCards, drawPaper]) shows(view)
if (matchMedia('(max-width: 767px)').matches) $('#tree').open = false

const order = 'paperfs order'
$('#order').value = localStorage.getItem(order) || 'name'
$('#order').addEventListener('change', () => { localStorage.setItem(order, $('#order').value); changed() })
$('#find').addEventListener('input', changed)
$('#choose').addEventListener('click', () => $('#files').click())
$('#files').addEventListener('change', () => { send($('#files').files, category()); $('#files').value = '' })
$('#new-category').addEventListener('click', newCategory)
$('#about-category').addEventListener('click', editCategory)
$('#deleted').addEventListener('click', () => { $('#menu').open = false; deleted().catch(failed => toast(failed.message)) })
window.addEventListener('hashchange', () => {
  const n = nodes.get(location.hash.slice(1))
  if (!n || !n.paper) $('#find').value = ''
  if (matchMedia('(max-width: 767px)').matches) $('#tree').open = false
  changed()
  if (document.body.classList.contains('chosen') && matchMedia('(max-width: 1023px)').matches) $('aside button')?.focus()
})
document.addEventListener('keydown', event => {
  if (event.key !== 'Escape' || document.querySelector('dialog[open]')) return
  $('#menu').open = false
  if (document.body.classList.contains('chosen') && !(event.target instanceof HTMLInputElement)) $('aside .head button').click()
})
document.addEventListener('click', event => { if (!$('#menu').contains(event.target)) $('#menu').open = false })

// Files are dropped anywhere, or on the card of the paper that they replace; papers on a category.
const kind = 'application/x-paperfs-node'
const files = event => about.editor && event.dataTransfer.types.includes('Files')
let over = null
function point(target) {
  if (over !== target && over) over.classList.remove('over')
  over = target
  if (over) over.classList.add('over')
}
document.addEventListener('dragstart', event => {
  const of = /** @type {HTMLElement} */ (event.target).closest?.('[data-node]')
  if (of) event.dataTransfer.setData(kind, of.dataset.node)
})
document.addEventListener('dragover', event => {
  const target = /** @type {HTMLElement} */ (event.target)
  const node = event.dataTransfer.types.includes(kind)
  if (!files(event) && !node) return
  event.preventDefault()
  $('#drop').hidden = node
  const on = node ? target.closest('[data-category]') : target.closest('[data-node]:not(.folder)')
  $('#drop').textContent = on ? words.dropToReplace : words.dropHere
  point(on)
})
document.addEventListener('dragleave', event => {
  if (event.relatedTarget) return
  point(null)
  $('#drop').hidden = true
})
document.addEventListener('drop', event => {
  const on = over
  point(null)
  $('#drop').hidden = true
  if (files(event)) {
    event.preventDefault()
    const dropped = [...event.dataTransfer.files]
    if (on && dropped.length === 1) send(dropped, category(), on.dataset.node)
    else send(dropped, category())
  } else if (on && event.dataTransfer.getData(kind)) {
    event.preventDefault()
    move(event.dataTransfer.getData(kind), on.dataset.category)
  }
})
document.addEventListener('dragend', () => { point(null); $('#drop').hidden = true })

follow().catch(failed => toast(failed.message))
watch()
document.documentElement.classList.add('ready')
