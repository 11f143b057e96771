// Package answer writes the service's answers: their XML, and a large one
// through a file, so that no client that takes its time holds up the store.
//
// A [Writer] writes the children of an answer's data element, each with its
// attributes ([String], [Int], [TrueFalse]), in one of the forms in which
// services write free text ([CDATAStyle]): all mean the same to a client.
//
// # Invariants
//
//   - Every document is well-formed: what XML cannot carry is replaced
//     ([Carried]), everything else escaped.
//
//   - Nothing goes out before the first buffer is full, so that a small answer
//     that fails halfway can be started again as a failure ([Writer.Reset]).
//
//   - Errors of the connection are kept for [Writer.Flush].
//
//   - An answer that a [Spool] could not put into a file goes out nevertheless, and
//     nobody else waits for its client.
//
//   - An answer in a [Cache] is whole, and its file stays until its last reader is done.
//     All that are kept have no more than Cache.Room bytes.
//
// # Locks
//
// A Writer and a Spool are used by one goroutine. Spool.mu guards what that one
// and the sender share; it is held for no write. Cache.mu is taken alone, and held for no
// answer that is made, waited for or sent, and for no file that is closed.
package answer
