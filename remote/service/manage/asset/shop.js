// @ts-check
// The products of a paper, from a table, and what readers ordered.
import {about, el, keep, say, table, wide, words} from './dom.js'
import {call, headers} from './call.js'
import {dropZone, intoMedia} from './media.js'
import {moment} from './tree.js'

const characters = {lt: '<', gt: '>', amp: '&', '#34': '"', '#39': "'", '#xA': '\n', '#x9': '\t'}
/** Returns what an element of a link's parameter has. */
const inside = (xml, name) => (xml.match(new RegExp(`<${name}>([^<]*)</${name}>`)) || ['', ''])[1].replace(/&([a-z]+|#\w+);/g, (all, one) => characters[one] || all)

async function products(id) {
  const {root} = await call('Link/GetLinks', {paperID: id})
  const rows = (root && root.link || []).filter(link => link.linktype === 'shopitem').map(link => [link.number, inside(link.param, 'id'), inside(link.param, 'name'), inside(link.param, 'price')])
  return rows.length ? table([words.pages, 'Id', words.name, words.price], rows, words.products) : el('p', {textContent: words.noProducts})
}

/** Has the pages made again with a table of products, and shows what is wrong with it. */
async function useTable(n, file, state, problems, alive) {
  state.textContent = words.processing
  problems.replaceChildren()
  const name = (await intoMedia('enrichment', file))[0].replace(/^.*?\//, '').replace(/\.csv$/i, '').replace(/[&<>]/g, c => `&#${c.charCodeAt(0)};`)
  const {jobGuid} = await call('Ripper/ReprocessPaper', {paperID: n.id, xmlOptions: about.options.replace('</options>', `<custom-link-import-name>${name}</custom-link-import-name></options>`)})
  let job = {ProcessStatus: 'Pending', Reason: ''}
  while (job.ProcessStatus === 'Pending' && alive()) {
    await new Promise(resolve => setTimeout(resolve, 1000))
    job = await call('Ripper/GetProcessingStatus', {jobGuid})
  }
  const found = (job.Reason || '').split(/(?<=[.…]) (?=\p{Lu})/u).filter(Boolean)
  state.textContent = found.length ? words.problems : words.noProblems
  problems.replaceChildren(...found.map(textContent => el('li', {textContent})))
}

const asCSV = rows => '\ufeff' + rows.map(row => row.map(value => /[",;\n\r]|^[=+@-]/.test(value) ? '"' + (/^[=+@-]/.test(value) ? "'" : '') + value.replace(/"/g, '""') + '"' : value).join(',') + '\r\n').join('')

async function orders(n) {
  const parameters = {paperId: n.id, checkoutType: ''}
  const {flipbooks} = await call('Ecommerce/GetFlipbookOrdersByType', parameters)
  const all = (flipbooks && flipbooks.flipbook || []).flatMap(one => one.orders && one.orders.order || []).sort((a, b) => b.orderDate.localeCompare(a.orderDate))
  if (!all.length) return [el('p', {textContent: words.noOrders})]
  const way = order => words['value-' + order.checkoutType] || order.checkoutType
  const lines = order => order.orderLine || []
  const csv = () => keep(n.segment + '-orders.csv', 'text/csv', asCSV([['orderId', 'orderDate', 'checkoutType', 'productId', 'productName', 'productPrice', 'amount'],
    ...all.flatMap(order => lines(order).map(line => [order.orderId, order.orderDate, order.checkoutType, line.productId, line.productName, line.productPrice, line.amount]))]))
  const xml = async () => keep(n.segment + '-orders.xml', 'text/xml', await (await fetch('call/Ecommerce/GetFlipbookOrdersByType', {method: 'POST', headers: {...headers(), Accept: 'text/xml'}, body: new URLSearchParams(parameters)})).text())
  return [el('span.row', {}, el('button', {textContent: words.asCSV, onclick: csv}), el('button', {textContent: words.asXML, onclick: xml})),
    table([words.orderNumber, words.date, words.checkout, words.products, words.total], all.map(order => [order.orderId, moment(order.orderDate).toLocaleString(words.tag), way(order),
      lines(order).map(line => `${line.amount} × ${line.productName || line.productId}`).join(', '), order.totalOrderValue]), words.orders)]
}

/** Opens products and orders. @param {import('./tree.js').Node} n */
export async function shop(n) {
  const state = el('p', {role: 'status'}), problems = el('ul.problems'), known = el('div'), made = el('div')
  const shown = wide(say('shopOf', n.name), el('section', {}, el('h3', {textContent: words.products}),
    dropZone('.csv,text/csv', words.chooseTable, words.dropTable, file => useTable(n, file, state, problems, () => shown.isConnected).then(fresh).catch(wrong(state))), state, problems, known),
  el('section', {}, el('h3', {textContent: words.orders}), made))
  const fresh = async () => known.replaceChildren(await products(n.id))
  await Promise.all([fresh().catch(wrong(known)), orders(n).then(all => made.replaceChildren(...all)).catch(wrong(made))])
}

const wrong = place => failed => { place.textContent = failed.message }
