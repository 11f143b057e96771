// @ts-check
// The settings of a paper or category by group, beside the reader as it looks with them.
import {el, say, toast, wide, words} from './dom.js'
import {call} from './call.js'
import {changeValue, inWords} from './change.js'
import {dropZone, intoMedia} from './media.js'
import {lineage, nodes, publicURL, state} from './tree.js'

const groups = {
  looks: ['logo', 'accentColor', 'backgroundColor', 'stage', 'pageLayout', 'maxZoom', 'autoMaximize', 'favicon'],
  texts: ['language', 'publisher', 'description', 'shelfTitle', 'shelfOrder'],
  readers: ['public', 'iconPrint', 'iconPdf', 'mediaHosts'],
  ordering: ['checkout', 'currency', 'shopEmail', 'shopPhone', 'shopExportUrl'],
}
const ofCategories = ['shelfTitle', 'shelfOrder']

/** The control of a setting: its element, and how it shows a value. */
function control(s, set) {
  const choices = s.type === 'bool' ? ['true', 'false'] : s.choices ? s.choices.split(' ') : []
  if (s.name === 'checkout') {
    const boxes = choices.map(value => el('input', {type: 'checkbox', value, onchange: () => set(boxes.filter(box => box.checked).map(box => box.value).join(' '))}))
    return {element: el('fieldset', {}, el('legend', {textContent: words['set-checkout']}), ...boxes.map(box => el('label.choice', {}, box, inWords(box.value)))), show: value => { for (const box of boxes) box.checked = value.split(' ').includes(box.value) }}
  }
  const label = el('span', {textContent: words['set-' + s.name] || s.description})
  const field = choices.length
    ? el('select', {onchange: () => set(field.value)}, ...choices.map(value => el('option', {value, textContent: inWords(value)})))
    : el('input', {onchange: () => set(field.value.trim()), inputMode: s.type === 'int' ? 'numeric' : 'text'})
  const colour = s.name.endsWith('Color') && el('input', {type: 'color', ariaLabel: words['set-' + s.name], onchange: () => set(colour.value)})
  const picture = (s.name === 'logo' || s.name === 'favicon') && dropZone('image/*', words.choosePicture, words.dropPicture, async file => {
    try {
      const [path, fileID] = await intoMedia('brand', file)
      if (!await set(path)) await call('Media/DeleteFile', {fileID})
    } catch (refused) {
      toast(refused.message)
    }
  })
  return {element: el('div', {}, el('label', {}, label, field), colour, picture), show: value => {
    field.value = value
    if (colour) colour.value = /^#[0-9a-f]{6}$/i.test(value) ? value : '#808080'
  }}
}

/** A setting with what it inherits. */
function setting(n, s, changed) {
  const note = el('span.note', {role: 'alert'}), from = el('small')
  const reset = el('button.quiet', {textContent: words.inheritAgain, onclick: () => set('', 'true')})
  const shown = control(s, value => set(value))
  const update = () => {
    const own = s.own !== undefined
    shown.show(own ? s.own : s.inherited)
    from.textContent = own ? say('insteadOf', inWords(s.inherited) || words.nothing) : words.inherited
    reset.hidden = !own
  }
  const known = {shown: s.own ?? s.inherited, read: async () => {
    const {settings: now} = await call('Paper/GetSettingDescriptions', {paperID: n.id})
    const {own, inherited} = now.setting.find(one => one.name === s.name)
    Object.assign(s, {own, inherited})
    return own ?? inherited
  }}
  const set = async (value, inherit = '') => {
    const before = known.shown, done = await changeValue(n, 'Paper/SetSetting', {setting: s.name, value, inherit}, note, known, inherit ? s.inherited : value)
    if (done || before !== known.shown) update()
    if (done) changed()
    return done
  }
  update()
  return el('div.setting', {id: 'set-' + s.name}, shown.element, el('span.row', {}, from, reset), note)
}

/** Values of custom fields. */
async function custom(n) {
  const {fields} = await call('CustomField/GetCustomFieldDefinitions')
  return Promise.all((fields && fields.field || []).map(async ({name}) => {
    const read = async () => (await call('CustomField/GetCustomFieldValue', {paperID: n.id, fieldName: name})).field.text || ''
    const note = el('span.note', {role: 'alert'}), known = {shown: await read(), read}
    const set = async () => {
      const before = known.shown
      if (await changeValue(n, 'CustomField/SetCustomFieldValue', {fieldName: name, value: box.value}, note, known, box.value) || before !== known.shown) box.value = known.shown
    }
    const box = el('input', {value: known.shown, onchange: set})
    return el('div.setting', {}, el('label', {}, el('span', {textContent: name}), box), note)
  }))
}

/** Where readers see it; "" where they see nothing. */
async function address(n) {
  const shown = one => one.paper && one.pages && state(one)[0] === 'public' && lineage(one.id).some(above => above.id === n.id)
  if (!n.paper) return [...nodes.values()].some(shown) ? publicURL(n.id) : ''
  return n.pages ? publicURL(n.id) + '?SecurityToken=' + (await call('Paper/CreatePreviewToken', {paperID: n.id, validityMinutes: 60, ip: ''})).token : ''
}

/** Opens the settings. @param {import('./tree.js').Node} n */
export async function settings(n) {
  const [{settings: found}, fields] = await Promise.all([call('Paper/GetSettingDescriptions', {paperID: n.id}), n.paper ? custom(n) : []])
  const seen = await address(n)
  const frame = seen && el('iframe', {title: words.readerFrame, src: seen})
  const again = () => { if (frame) frame.src = seen }
  const known = new Map(found.setting.map(s => [s.name, s]))
  const shown = names => names.filter(name => known.has(name) && !(n.paper && ofCategories.includes(name))).map(name => setting(n, known.get(name), again))
  const group = (title, all) => all.length > 0 && el('section', {}, el('h3', {textContent: title}), ...all)
  wide(say('settingsOf', n.name), el('div.beside', {}, el('div', {}, ...Object.entries(groups).map(([name, names]) => group(words[name], shown(names))), group(words.fields, fields)), frame))
}
