// Package remote is the publication-management service as Go: the table of
// its operations, their codes, requests and results, and a client.
//
// # The wire
//
// Every call is a POST of an HTML form to {base}/V2/{Group}.asmx/{Operation},
// with the credentials as its first two fields. The answer is an XML document
//
//	<result><code>…</code><message>…</message><data>…</data></result>
//
// which may lie, escaped or not, in an element <string>. HTTP 200 says only
// that the operation was reached: success is the code SUCCESS and nothing else.
//
// # The client
//
// [Client] has one method an operation. The way of a call is in call.go, from
// top to bottom: it waits for the request budget (package ratelimit), is
// repeated by the policy of its operation (retry.go, look.go), is ended when
// nothing moves (stall.go) or the context ends, and reads its
// answer as a stream (package xmlscan, answer.go). A service in the same process takes
// calls by Options.Transport, and their content without base64 ([PlainBody]). Every failure is an [*Error], whose
// Kind and Code say what happened. Credentials are in the request body and
// nowhere else.
//
// Packages that the service and its clients share lie below: rules (names, queries, limits), xmlscan (the reader of XML),
// ratelimit, clock; promtext (metrics as text); schema (migration of a SQLite
// database), dirlock and durable.
//
// # Invariants
//
//   - An operation is in the table once, with all that client, service, help
//     pages and tests have to know of it.
//
//   - A call is repeated only where its operation says that this does no harm,
//     or after a look at what the first attempt did.
//
//   - An answer is read as a stream, within bounds: no answer, however large or
//     broken, takes more than a bounded amount of memory beside its result.
//
// # Locks
//
// A Client may be used by many goroutines. Its locks guard fields, are held over
// no request, and are taken alone; but the lock of a bulk body is held while its
// content is read and hashed, and that of beside.go is taken within it.
package remote
