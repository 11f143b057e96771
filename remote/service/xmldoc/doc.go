// Package xmldoc writes what the store has as the XML of the operations' answers
// ([Tree], [Library], [Orders], [Links] and others), and decodes the documents that
// arrive in parameters ([Parse]).
//
// # Invariants
//
//   - The writers take what they write from one Reader, in the order in which the
//     store reads it, and hold no more of it than they need.
//   - They check nothing: an operation is validated before it writes.
package xmldoc
