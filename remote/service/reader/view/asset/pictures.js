// @ts-check
// The pictures of the pages. Those of the view are as large as they are displayed, and so are those beside it once
// the reader has begun to read. All others are small, so that memory does not grow with the pages that were read.
// A picture whose page was passed before it arrived is not loaded.
import { root, main, pages, page, together, current, text, onTurn } from './paging.js'

const quick = 250 // milliseconds between two turns of a reader who leafs

class Pictures {
  /** @type {Map<HTMLImageElement, string>} the large pictures, with their widths on the whole page */
  large = new Map()
  /** @type {Map<HTMLImageElement, string>} all sizes of the pictures that were made small: a browser that has a
   * larger picture keeps it, as long as there is a choice */
  choices = new Map()
  reads = false // the reader has begun: views are loaded ahead
  paper = false // all are large, for printing
  zoom = 1
  turned = -quick // when the view changed
  round = 0 // counts the views: what was meant for an earlier one is dropped

  /** @param {number} number @param {'high' | 'low'} priority */
  load(number, priority) {
    const img = page(number)?.querySelector('img')
    if (!img) return
    const widths = this.large.get(img) ?? img.sizes.replace(/^\(\S+\) 9px,/, '')
    this.large.set(img, widths)
    const choice = this.choices.get(img)
    if (choice) img.srcset = choice // not otherwise: an assignment is a request
    this.choices.delete(img)
    const sizes = this.paper ? '1600px' : this.zoom > 1 && priority === 'high' ? Math.round(main.clientWidth * this.zoom) + 'px' : widths
    if (img.sizes !== sizes) img.sizes = sizes
    img.fetchPriority = priority
    img.loading = 'eager' // at last: it begins to load
    return img.decode().catch(() => { /* it was passed, or again.js handles it */ })
  }

  /** Makes all pictures small but those of these pages. @param {number[]} numbers */
  drop(numbers) {
    const kept = new Set(numbers.map(number => page(number)?.querySelector('img')))
    for (const [img, widths] of this.large) {
      if (kept.has(img) || !img.dataset.thumb) continue
      this.choices.set(img, img.srcset)
      img.srcset = img.dataset.thumb + ' 9w'
      img.sizes = widths
      this.large.delete(img)
    }
  }

  /** Loads the view, and then the next and the previous one. A reader who leafs has to stop first. */
  async show() {
    const round = ++this.round, now = together(current()), next = together(now[now.length - 1] + 1), before = together(now[0] - 1)
    const leafs = performance.now() - this.turned < quick
    this.turned = performance.now()
    for (const number of [...now, next[0]]) page(number)?.classList.add('near')
    if (text() || this.paper) return
    this.drop([...now, ...next, ...before])
    if (leafs) await new Promise(done => setTimeout(done, quick / 2))
    if (round !== this.round) return
    await Promise.all(now.map(number => this.load(number, 'high')))
    for (const beside of [next, before]) {
      if (round !== this.round || !this.reads || document.readyState !== 'complete') return
      await Promise.all(beside.map(number => this.load(number, 'low')))
    }
  }

  /** Loads views ahead of the reader from now on. */
  begin() {
    this.reads = true
    root.classList.remove('still')
    this.show()
  }

  /** Makes every picture large, for printing. The text view prints none. */
  all() {
    if (text()) return []
    this.paper = true
    return pages.map(one => this.load(Number(one.id.slice(1)), 'high'))
  }

  /** Ends printing. */
  printed() {
    this.paper = false
    this.show()
  }

  /** @param {number} zoom */
  enlarge(zoom) {
    this.zoom = zoom
    this.show()
  }
}

export const pictures = new Pictures()

root.classList.add('still') // the first view loads nothing but itself
onTurn(() => pictures.show())
for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel']) addEventListener(kind, () => { if (!pictures.reads) pictures.begin() }, {passive: true})
addEventListener('load', () => pictures.show())
addEventListener('beforeprint', () => { pictures.all() })
addEventListener('afterprint', () => pictures.printed())
