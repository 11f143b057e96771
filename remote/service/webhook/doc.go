// Package webhook tells the addresses that the operator added to a tenant of its events.
//
// # Types
//
//   - [Senders] has a goroutine for each webhook that this process sends for.
//   - [Poster] sends a [Message], signed as Standard Webhooks say.
//
// A webhook is a mark in the tenant's log of changes, which triggers write within each change. What came before the
// mark was sent, or waits as a store.Notice. While a webhook has to be told of a row, nothing cuts it from the log.
//
// # Invariants
//
//   - At least once: the mark moves over an event, and a notice goes, after the receiver has accepted the event with
//     a status 2xx, or in the change that keeps the event as a notice. A repeat has the same webhook-id.
//   - In order: of one paper, nothing is sent while something earlier waits. Other papers go on. A notice that has
//     failed for a day is set aside: later events no longer wait for it, and `admin webhook retry` sends it again.
//     The sender deletes a notice after a month.
//   - The process that has the lease sends (store.Claims). It begins no try that may outlast the lease. A mark or
//     notice that another process changed since is left alone.
//   - Periods: whoever sends writes into the log which periods began and ended since the time that the tenant's
//     record has, and moves that time, in one change: each once, even after an outage. Whether a change of a paper
//     publishes it is judged at that time, too. It is some seconds behind.
//   - A backup, a restored dump of PostgreSQL, and a copy to another engine begin at the end of their log and at the
//     time of their first start, before anything changes there. A base backup of PostgreSQL, and a directory copied by hand, cannot be told from
//     what they are copies of: they send what was not told at their moment.
//   - A receiver costs a bounded time, and bounded memory. Its redirects are not followed. Its address is judged
//     when it is dialled: a private one, or one without TLS, has to be trusted by the operator.
//   - No log line has an address or a secret.
//
// Senders.mu guards the channel that wakes the senders; nothing is awaited under it.
package webhook
