// Package service is the embedded publication-management service. It serves the twenty
// operations of the interface document and most of the extended ones over HTTP, from one
// data directory. A [Service] is an http.Handler.
//
// A request comes to route.go here, which tells operations, help pages and the pages of readers apart (package reader serves
// the last); soap.go finds the operation of a SOAP request. Package call has all that one call is, whatever the operation: it
// checks the caller, reads the parameters, and writes the answer with package answer; package admission bounds what a caller
// without valid credentials can cost. Package operation carries out the operations, a group in each file. Its process.go queues
// PDFs, which package processing turns into pages. Imports point one way: the service uses operation and call, operation
// uses call, and neither knows the service.
//
// service.go opens and closes the service; keep.go and examine.go work in the background, contents.go is about the files of
// content, operator.go about what an operator asks.
//
// To add an operation: add its row to remote/operation.go and to Operations there, its
// function to Handlers in operation/operation.go, and a method to remote.Client.
//
// Package store has the interfaces of records and content. Package datadir knows the
// directory with both; package admin changes what no operation changes. Records and
// content outside of the directory (Options.Apart) may be shared with other services:
// each job then has an owner, and the queue also processes jobs that others queued.
// Package webhook tells other programs of what happens to papers.
//
// The service contract defines the evaluation order, the codes and the wire format;
// comments call it "contract".
//
// # Invariants
//
//   - A change that was answered with SUCCESS is on the disk, and survives any end of the
//     process.
//
//   - An operation is one change of the store, except SetMultipleCustomFieldValues.
//
//   - Content is on the disk before the record that names it. A start moves content
//     without a record, if the data directory has the content, to the trash.
//
//   - Without good credentials a request costs a bounded amount of memory, disk
//     and time (package admission).
//
//   - No log line contains a query, a parameter or a key.
//
// # Lock order
//
// A slot of a gate (searches, walks, readers, told) is taken before a Read; nobody waits for a
// slot within a Read. A Read of the store waits for its turn, and within one nobody reads. A Write waits for the
// one before it: within a Write a handler waits for nothing that may need another.
// answer.Cache.mu, call.Followers.mu and the locks of packages admission and processing are taken
// within a Write or outside; no request, file, Read or Write runs while one is held.
package service
