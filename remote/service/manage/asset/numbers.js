// @ts-check
// How often a paper was read and ordered from in 28 days.
import {el, say, table, wide, words} from './dom.js'
import {call} from './call.js'

const days = 28
const count = new Intl.NumberFormat(words.tag)
const dayName = day => new Date(day + 'T00:00Z').toLocaleDateString(words.tag, {day: 'numeric', month: 'short', timeZone: 'UTC'})

function svg(name, set = {}, ...inside) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(set)) made.setAttribute(key, value)
  made.append(...inside)
  return made
}

/** A line of a value a day, with its sum. @param {string} label @param {string[]} dates @param {number[]} values */
function line(label, dates, values) {
  const sum = values.reduce((a, b) => a + b, 0), most = Math.max(...values), top = Math.max(most, 1)
  const points = values.map((v, i) => `${(i * 280 / (days - 1)).toFixed(1)},${(64 - v * 56 / top).toFixed(1)}`).join(' ')
  return el('figure', {}, el('figcaption', {}, el('span', {textContent: label}), el('b', {textContent: count.format(sum)})),
    svg('svg', {viewBox: '-4 0 288 72', role: 'img', 'aria-label': say('lineOf', label, count.format(sum), count.format(most), dayName(dates[values.indexOf(most)]))},
      svg('polygon', {points: `0,64 ${points} 280,64`}), svg('polyline', {points}), ...values.map((v, i) => svg('circle', {cx: i * 280 / (days - 1), cy: 64 - v * 56 / top, r: v ? 2.5 : 0}))),
    el('small', {}, el('span', {textContent: dayName(dates[0])}), el('span', {textContent: dayName(dates[days - 1])})))
}

/** Opens the numbers. @param {import('./tree.js').Node} n */
export async function numbers(n) {
  const dates = Array.from({length: days}, (_, i) => new Date(Date.now() - (days - 1 - i) * 86400000).toISOString().slice(0, 10))
  const period = {paperID: n.id, from: dates[0], to: dates[days - 1]}
  const [views, visits, pages, shop] = await Promise.all([call('Statistics/GetNumberOfPageviewsPerDay', period), call('Statistics/GetNumberOfVisitorsPerDay', period), call('Statistics/GetNumberOfPageviewsPerPage', period),
    call('Ecommerce/GetFlipbookOrdersByType', {paperId: n.id, checkoutType: ''}).catch(() => null)]) // the licence may have no orders
  const ordered = shop && shop.flipbooks ? (shop.flipbooks.flipbook || []).flatMap(one => one.orders && one.orders.order || []).map(order => order.orderDate.slice(0, 10)) : []
  const all = [[words.views, views.pageviews.day.map(day => Number(day.views))], [words.visits, visits.visitors.day.map(day => Number(day.visitors))], [words.orders, dates.map(date => ordered.filter(one => one === date).length)]].slice(0, shop ? 3 : 2)
  const top = (pages.pageviews.page || []).map(page => ({number: page.number, views: Number(page.views)})).filter(page => page.views > 0).sort((a, b) => b.views - a.views)
  const followed = (pages.pageviews.link || []).map(link => [link.target, link.page, Number(link.clicks)]).sort((a, b) => b[2] - a[2])
  wide(say('numbersOf', n.name), el('div.lines', {}, ...all.map(([label, values]) => line(label, dates, values))),
    el('section', {}, el('h3', {textContent: words.topPages}), top.length === 0 && el('p', {textContent: words.nothingCounted}),
      el('ol.top', {}, ...top.slice(0, 12).map(page => el('li', {}, el('img', {src: `cover?paper=${n.id}&page=${page.number}&of=${n.edition}`, alt: '', loading: 'lazy'}), el('span', {textContent: say('pageNumber', page.number)}), el('b', {textContent: count.format(page.views)}))))),
    el('section', {}, el('h3', {textContent: words.topLinks}), followed.length ? table([words.target, words.pages, words.clicks], followed.slice(0, 100).map(([target, page, clicks]) => [target, page, count.format(clicks)]), words.topLinks) : el('p', {textContent: words.noClicks})),
    el('details', {}, el('summary', {textContent: words.asTable}), table([words.date, ...all.map(([label]) => label)], dates.map((date, i) => [date, ...all.map(([, values]) => values[i])]).reverse(), words.numbers),
      top.length > 0 && table([words.pages, words.views], top.map(page => [page.number, page.views]), words.topPages)))
}
