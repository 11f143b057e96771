// Package address knows the addresses of the service: the host names that
// select a tenant ([Host]), the paths of papers and categories ([Node],
// [FindNode]), of media files ([File]) and of page images ([Images]), what they
// begin with in an answer ([Base.Public]), and the address that a request came
// from ([Client]).
//
// # Invariants
//
//   - Addresses are compared without regard to case.
//
//   - A signed address of an image is enough to see it: its signature holds it to
//     one paper, page and type, and to a time. One without is for who may see the
//     paper, and stays the same.
//
//   - The address of a node ends with a slash, that of a file never does.
//
// Nothing here changes after it was made, so there are no locks.
package address
