// Package names maps the names of the service to file names and back, without a lock and without
// a request.
//
//   - Encode and Decode map the text of one name. Plain is the name that a node has if no sibling and no
//     rule disturbs it. An id is added (~ID) where it is needed, so that the names of siblings differ.
//   - Of, Find, Takes and Path do the same in a snapshot of the catalogue, by look-ups: no
//     directory's names are kept. Changed compares two snapshots.
//   - Parse reads a name that a user makes.
//   - PaperOf, Beside and IsOther are the rules for names of PDFs.
//
// Invariants: a name depends on nothing but the node and its siblings; siblings have different names, of
// at most Max bytes; Find finds a node by the name that Of returns.
package names
