// Package admission decides what a request may cost before and after its credentials
// are known. A stranger is a sender whose credentials have not arrived, or are not good.
//
//   - [Strangers] bounds the content of strangers on the disk.
//   - [Body] bounds the size and the pace of a stranger's request body, and reads past
//     the rest of a body whose answer does not need it.
//   - [AddressRate] limits the requests of an address without good credentials,
//     [AccountRate] those of an account.
//   - [Callers] remembers callers whose keys were good a moment ago.
//
// # Invariants
//
//   - A stranger's request costs a bounded amount of memory, disk and time.
//   - What a refused request held is free again when its request ends ([Slot.Release]).
//
// # Lock order
//
// Each type has one lock. None is held while another is taken, nor for a read of a
// body, a file, or a transaction of the store.
package admission
