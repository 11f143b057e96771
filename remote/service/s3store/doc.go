// Package s3store stores contents as objects of a bucket, in any store that speaks the S3
// protocol: the [store.Contents] of a service that runs on several machines.
//
// # Types
//
//   - [Place] says where the objects are, parsed from an address.
//   - [Store] is a store.Contents, and the janitor of the place.
//   - draft is content being written, a [store.Draft].
//   - reader reads a part of content.
//
// # Layout
//
//	PREFIX/KE/KEY   contents; the key is a random UUID
//
// The [store.Ledger] of the records has the state of each key:
//
//	intended   before the first byte is sent; renewed each hour while it is being sent
//	kept       set together with the record that names it
//	given up   a day after the last renewal; parts and object are removed an hour later
//	dropped    the object is removed an hour later
//
// # Invariants
//
//   - Content is immutable, and keys are never reused. So no conditional writes are needed,
//     and requests can be repeated.
//   - Content whose key Commit returned has all its bytes: each part is sent with its
//     SHA-256, and the object appears with all parts at once.
//   - No decision depends on a listing of the bucket. Objects that are not in the ledger
//     stay untouched.
//   - Content that cannot be removed does not block other content: each node tries it again
//     after an hour. If too many requests of a round fail, the next round continues after
//     the content that was tried.
//   - If the records are unavailable for a while, a draft fails only once its intention may
//     have lapsed. The change that keeps the content decides whether it came in time.
//   - A janitor removes no content that may still arrive: a request is refused a quarter
//     of an hour after it was signed, and given-up content stays for an hour.
//   - A draft takes the memory of two parts, whatever its length, and no disk. The number
//     of large drafts is limited; others wait. Their memory is mapped and released with the
//     draft, so every draft must end with Commit or Discard.
//   - A temporary failure of the object store is [store.ErrAway], after some attempts.
//
// # Locks
//
// There are none except the slots for large drafts: a draft that has one waits for no other. A
// draft or reader belongs to one caller at a time. A draft sends one part in the background.
package s3store
