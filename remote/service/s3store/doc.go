// Package s3store keeps contents as objects of a bucket, in any store that speaks
// the protocol of S3: the [store.Contents] of a service on several machines.
//
// # Types
//
//   - [Place] is where the objects are, as an address tells it.
//   - [Store] is a store.Contents, and the janitor of the place.
//   - draft is content being written, a [store.Draft].
//   - reader is a part of content that is open.
//
// # Where things lie
//
//	PREFIX/KE/KEY   contents; the key is a random UUID
//
// What becomes of a key is in the [store.Ledger] of the records:
//
//	intended   before its first byte is sent; again each hour while it is being sent
//	kept       with the record that names it
//	given up   a day after it was intended last; its parts and its object go an hour later
//	dropped    its object goes an hour later
//
// # Invariants
//
//   - Content never changes, and no key is given twice. So no conditional write is
//     needed, and a request may be sent again.
//   - A key that Commit returned has all its bytes: each part is sent with its
//     SHA-256, and the parts become an object at once.
//   - Nothing is decided by what a bucket lists. What is not in the ledger is not
//     touched.
//   - Content that cannot be removed holds up no other: each node tries it again after an
//     hour. Where too many requests of a round fail, the next round goes on behind them.
//   - That the records are away for a while ends no draft before its intention may have
//     lapsed. Whether content came in time is decided by the change that keeps it.
//   - A janitor removes no content that may still come: a request is refused a
//     quarter of an hour after it was signed, and content that was given up has an
//     hour.
//   - Content of whatever length takes the memory of two parts, and no disk. So many
//     large drafts at most have it at once; others wait. It is mapped, and goes with the
//     draft: who begins one ends it, by Commit or by Discard.
//   - A failure of the object store that may pass is [store.ErrAway], after some
//     attempts.
//
// # Locks
//
// There are none but the room of large drafts: who has a place in it waits for no
// other. A draft or a reader belongs to one caller at a time; a draft sends one part
// beside it.
package s3store
