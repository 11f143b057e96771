// @ts-check
// Calls of operations. Each has the session's token.
import {about, words, dialog, el} from './dom.js'

/** Why an operation did nothing. */
export class Refused extends Error {
  constructor(code, message, data = {}) {
    super(message)
    this.code = code
    this.data = data
  }
}

export const headers = () => ({'Accept': 'application/json', 'Paperfs-Token': about.token, 'Prefer': 'paperfs-version'})

/** Returns the data of an answer, or throws why there are none. @param {number} status @param {any} body */
export function answerOf(status, body) {
  if (body && body.code === 'SUCCESS') return body.data || {}
  if (status === 401 || status === 403 && !(body && body.code)) signedOut()
  if (status === 413) throw new Refused('413', words.tooLarge)
  throw new Refused(body && body.code || String(status), body && (body.message || body.error) || words.away, body && body.data)
}

/** Calls an operation, GROUP/NAME. @param {string} operation @param {AbortSignal} [signal] @returns {Promise<any>} its data */
export async function call(operation, parameters = {}, signal) {
  for (let tries = 0; ; tries++) {
    let reply
    try {
      reply = await fetch('call/' + operation, {method: 'POST', headers: headers(), body: new URLSearchParams(parameters), signal})
    } catch (failed) {
      if (signal && signal.aborted) throw failed
      throw new Refused('CUT', words.cut)
    }
    if ((reply.status === 429 || reply.status === 503) && tries < 3) {
      await new Promise(resolve => setTimeout(resolve, 1000 * (Number(reply.headers.get('Retry-After')) || 1)))
      continue
    }
    return answerOf(reply.status, await reply.json().catch(() => null))
  }
}

let asked = false

/** Says that nobody is signed in any more. What was typed stays: a sign-in in another tab goes on here. */
function signedOut() {
  if (asked) return
  asked = true
  const shown = dialog(words.signIn, el('p', {textContent: words.signedOut}), el('p', {}, el('a.button.main', {href: './', target: '_blank', textContent: words.signIn})))
  const again = async () => {
    const known = (await (await fetch('./')).text()).match(/"account":"(.*?)".*"token":"(.*?)"/)
    if (!known || JSON.parse('"' + known[1] + '"') !== about.account) return
    about.token = known[2]
    shown.close()
  }
  window.addEventListener('focus', again)
  shown.addEventListener('close', () => { asked = false; window.removeEventListener('focus', again) })
}
