// Package remote describes the publication-management service in Go: the table of its
// operations, their codes, requests and results. It also has the client.
//
// # The wire
//
// Every call is a POST of an HTML form to {base}/V2/{Group}.asmx/{Operation},
// with the credentials as its first two fields. The answer is an XML document
//
//	<result><code>…</code><message>…</message><data>…</data></result>
//
// which may be in an element <string>, escaped or not. HTTP 200 only means that the
// request reached the operation: only the code SUCCESS is success.
//
// # The client
//
// [Client] has one method per operation. call.go is a call from top to bottom: it waits
// for the request budget (package ratelimit), makes attempts by the policy of its
// operation (retry.go, look.go), ends an attempt when nothing moves (stall.go) or the
// context ends, and reads the answer as a stream (package xmlscan, answer.go). Content goes
// raw, as multipart/form-data, where paperfs's own service offers that, else as base64. A
// service in the same process gets calls by Options.Transport, and the file of their content ([PlainBody]). Every failure is an [*Error], whose Kind and Code say what happened.
// Credentials are in the request body and nowhere else.
//
// The packages that the service and its clients share are below this one: rules (names,
// queries, limits), xmlscan (the XML reader), ratelimit, clock; promtext (metrics as text);
// durable (files, locks and databases that outlast a crash).
//
// # Invariants
//
//   - An operation is in the table once, with everything that the client, the service,
//     help pages and tests need to know of it.
//
//   - The client repeats a call only if its operation says that this does no harm, or
//     after it has checked what the first attempt did.
//
//   - The client reads an answer as a stream: no answer, however large or broken, takes
//     more than a bounded amount of memory besides its result.
//
// # Locks
//
// Many goroutines may use a Client. Its locks guard fields; none is held during a request
// or while another is taken. The exception is the lock of a bulk body: it is held while
// its content is read and hashed.
package remote
