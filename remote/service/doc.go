// Package service is the embedded publication-management service: the twenty
// operations of the interface document and most of the extended ones, served
// over HTTP from one data directory.
//
// A request runs through these files: route.go finds the operation in the
// table of package remote, request.go reads its parameters and checks who
// calls, operations.go names the function that carries it out, envelope.go and
// package answer write the answer. What is kept lies behind the interfaces of
// package store. PDFs are queued by process.go; queue.go and processing.go have package
// pdf take them apart and put the pages in place.
//
// The evaluation order, the codes and all shapes on the wire are those of the
// service contract; a comment that says "contract" means it.
package service
