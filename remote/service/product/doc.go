// Package product knows what a shop sells in a paper: it reads the table of the
// products ([Parse]), the links of a PDF that name one ([ParseTag]), and what a link
// of a paper says of its product ([Fragment], [ParseFragment]).
//
// # Invariants
//
//   - All input comes from anybody: nothing here panics, and what a table may hold is
//     bounded ([MostRows], [FieldBytes]).
//
//   - Every text that is returned can stand in XML.
//
// Nothing here is changed after it was made, so there are no locks.
package product
