// Package service is the embedded publication-management service: the twenty
// operations of the interface document and most of the extended ones, served
// over HTTP from one data directory. A [Service] is an http.Handler.
//
// A request runs through these files. route.go tells operations, help pages and the
// pages of readers apart (package reader serves the last). request.go reads the
// parameters of a call. auth.go checks the key, the role and the rate of the account;
// package admission bounds what a caller without valid credentials can cost.
// operations.go finds the operation in the table of package remote and names the
// function that carries it out. envelope.go, reply.go and package answer write the
// answer; soap.go and soapanswer.go read and write the same in SOAP. process.go queues
// PDFs, which package processing turns into pages.
//
// To add an operation: add its row to remote/operation.go and to Operations there, its
// function to handlers in operations.go, and a method to remote.Client.
//
// The interfaces of package store stand for records and content. Package
// datadir knows the directory that has both, package admin changes what no
// operation changes. Where both are apart from the directory (Options.Apart), other
// services may share them: jobs are told from theirs by an owner, and the queue looks
// for jobs that they queued.
//
// The evaluation order, the codes and all shapes on the wire are those of the
// service contract; a comment that says "contract" means it.
//
// # Invariants
//
//   - What was answered SUCCESS is on the disk, and outlives any end of the
//     process.
//
//   - An operation is one change of the store, except SetMultipleCustomFieldValues.
//
//   - Content is on the disk before the record that names it. Content without a
//     record goes to the trash at a start, where it is in the data directory.
//
//   - Without good credentials a request costs a bounded amount of memory, disk
//     and time (packages admission and drain).
//
//   - No log line has a query, a parameter or a key.
//
// # Lock order
//
// A place of a gate (searches, walks, readers) is taken before a Read; nobody waits for
// a place within a Read. A Read of the store waits for nothing. A Write waits for the
// one before it: within a Write a handler waits for nothing that may need another.
// answer.Cache.mu and the locks of packages admission, drain and processing are taken
// within a Write or outside; no request, file, Read or Write runs while one is held.
package service
