// @ts-check
// What others change: one held request for all tabs of the browser, and none for tabs that nobody looks at.
import {about} from './dom.js'
import {call} from './call.js'
import {load, take} from './tree.js'

const channel = new BroadcastChannel('paperfs ' + about.root + ' ' + about.account)
let mark = ''

/** Takes what another tab was told; one that has missed something reads all. */
channel.onmessage = event => {
  const {after, news} = event.data
  if (news.next === mark) return
  const all = after === mark
  mark = news.next
  if (all) take(news)
  else load()
}

const visible = () => document.visibilityState === 'visible'
const shown = () => visible() ? Promise.resolve() : new Promise(resolve => document.addEventListener('visibilitychange', resolve, {once: true}))
const pause = ms => new Promise(resolve => setTimeout(resolve, ms))

/** Waits for news, one request after the other, until the tab is hidden. */
async function hold() {
  const hidden = new AbortController()
  const end = () => hidden.abort()
  document.addEventListener('visibilitychange', end, {once: true})
  let failures = 0
  for (let first = true; visible(); ) {
    try {
      const {events} = await call('Events/Wait', {after: mark, seconds: first ? 0 : 50}, hidden.signal)
      first = false
      failures = 0
      if (events.next !== mark) {
        channel.postMessage({after: mark, news: events})
        mark = events.next
        await take(events)
      }
    } catch {
      if (!hidden.signal.aborted) await pause(Math.min(30, ++failures * 2) * 1000)
    }
  }
  document.removeEventListener('visibilitychange', end)
}

/** Reads all, and then follows. A tab that waits for its turn hears what the one before it hears. */
export async function follow() {
  mark = (await call('Events/Wait', {after: '', seconds: 0})).events.next
  await load()
  for (;;) {
    await shown()
    const turn = new AbortController()
    const leave = () => turn.abort()
    document.addEventListener('visibilitychange', leave, {once: true})
    await (navigator.locks ? navigator.locks.request(channel.name, {signal: turn.signal}, hold) : hold()).catch(() => {})
    document.removeEventListener('visibilitychange', leave)
  }
}
