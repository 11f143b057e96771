// @ts-check
// Loads text that was not sent with the pictures, from the text view.
import { main, page } from './paging.js'

/** @type {Promise<void> | undefined} */
let under

/** Loads the text of all pages, once. */
export const load = () => under ??= fill().catch(error => { under = undefined; throw error })

async function fill() {
  const link = /** @type {HTMLAnchorElement} */ (document.getElementById('text')), at = new URL(link.href)
  const {first} = main.dataset
  at.searchParams.delete('Page')
  if (first && first !== '1') at.searchParams.set('Page', first)
  const answer = await fetch(at)
  if (!answer.ok) throw answer
  const whole = new DOMParser().parseFromString(await answer.text(), 'text/html')
  for (const article of whole.querySelectorAll('main > article')) {
    const here = page(Number(article.id.slice(1)))?.querySelector('.later'), there = article.querySelector('.words > :is(.said, p)')
    if (here && there) here.replaceWith(document.adoptNode(there))
  }
  for (const left of main.querySelectorAll('.later')) left.className = 'elsewhere' // the paper has changed
}
