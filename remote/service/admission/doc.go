// Package admission decides what a request may cost before and after its credentials
// are known. A stranger is a sender whose credentials have not arrived, or are not good.
//
//   - [Strangers] bounds the content of strangers on the disk.
//   - [Body] bounds the size and the pace of a stranger's request body, and reads past
//     the rest of a body whose answer does not need it.
//   - [AddressRate] limits the requests of an address without good credentials,
//     [AccountRate] those of an account.
//   - [Callers] remembers callers whose keys were good a moment ago.
//   - [Gate] limits how many reads of the records run at a time, and how many slow ones among them, so that
//     there is always room for fast ones. A [Ticket] represents one caller, with or without a slot.
//   - [Requests] are those under way, each with the [Deadlines] of its connection. When the service
//     ends, [Requests.Drain] gives strangers' requests a last deadline. All other requests are
//     finished, however long they take, unless their senders may still be writing what they send.
//
// A caller takes a slot before a connection to the records. A caller that already has a connection
// may only Try, and must release the connection before it waits with Enter: otherwise waiting
// callers would hold the connections that the gate is meant to keep free.
//
// # Invariants
//
//   - A stranger's request costs a bounded amount of memory, disk and time.
//   - What a refused request held is free again when its request ends ([Slot.Release]).
//   - A free slot of a gate goes to the tenant that holds the fewest; among equals to the one that
//     released a slot, or arrived, longest ago. So however many calls of one tenant wait, the first
//     call of another tenant waits for at most one of them, in addition to those that run.
//   - While a caller waits, no slot is free.
//
// # Lock order
//
// Each type has one lock. Requests.mu is taken before Deadlines.mu. No other is held while another
// is taken. None is held for a read of a body or a file, a transaction of the store, or an answer.
package admission
