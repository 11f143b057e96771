// Package names maps the names of the service to file names and back, without locks and
// without requests.
//
//   - Encode and Decode map the text of one name. Plain is the name of a node before
//     siblings and special rules are considered. An id (~ID) is added if it is needed to
//     keep the names of siblings different.
//   - Of, Find, Available and Path do the same in a snapshot of the catalogue, by
//     lookups: no directory's names are stored. Changed compares two snapshots.
//   - Parse reads a name that a user creates.
//   - PaperOf and Beside are the rules for names of PDFs.
//
// Invariants: a name depends only on the node and its siblings. Siblings have different
// names of at most Max bytes. Find finds a node by the name that Of returns.
package names
