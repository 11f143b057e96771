// Package answer writes the service's answers: their XML and, for large ones, a file in between,
// so that a slow client does not block the store; and what the service says instead, if it says no.
//
// A [Writer] writes the children of an answer's data element with their attributes ([String],
// [Int], [TrueFalse]). It writes free text in one of the forms that services use ([CDATAStyle]),
// which mean the same to a client.
//
// [Tree], [Library], [Orders], [Links], [Hierarchy], [Days], [Field] and [PageForm] write what the store
// has, as the operations' answers have it.
//
// [NewJSON] returns a Writer of the same answer as JSON. The operation table says which elements are
// lists ([ShapeOf]); [PrefersJSON] whether a client wants that.
//
// What a client asks for decides how it gets its answer: whether it accepts gzip ([AcceptsGzip]),
// which answer it already has ([MatchesTag]), and what it prefers ([Preference]). The compressors of
// answers are pooled ([FastGzip], [SmallGzip]). A [Worker] works on what an answer is made from in
// the background, a batch at a time.
//
// A [Fault] is the failure that an answer's envelope reports: HTTP 200, a result code, and a message for
// people. Answers outside the envelope are plain text: for missing pages ([NotFound]), for failures
// before an operation is determined ([Failure]), and for methods that an address does not allow
// ([MayRead]). They are JSON where the answer was to be JSON.
//
// # Invariants
//
//   - Every document is well-formed: characters that XML cannot represent are replaced
//     ([Carried]), everything else is escaped.
//   - The writers of what the store has take it from one Reader, in the order in which the store reads
//     it, and hold no more of it than they need. They check nothing: an operation is validated before
//     it writes.
//   - Nothing is sent before the first buffer is full, so that a small answer that fails
//     halfway can be replaced by a failure ([Writer.Reset]).
//   - An answer as JSON is written as it comes. So what is repeated in an element comes list by list, in
//     the order of its shape.
//   - Connection errors are kept for [Writer.Flush].
//   - An answer that a [Spool] could not write to a file is still sent, and only that
//     answer waits for its client.
//   - An answer in a [Cache] is complete, and its file stays until its last reader is done.
//     All cached answers together take at most Cache.Room bytes.
//
// # Locks
//
// A Writer and a Spool are used by one goroutine. Spool.mu guards what that goroutine shares with
// the sender; it is not held during writes. Cache.mu is never held together with another lock,
// nor while an answer is generated, awaited or sent, nor while a file is closed.
package answer
