// Package address knows the addresses of the service: the host names that select a tenant
// ([Host]), the paths of papers and categories ([Node], [FindNode]), media files ([File]) and
// page images ([Images]), how addresses in answers begin ([Base.Public]), and the address that a
// request came from ([Client]).
//
// # Invariants
//
//   - Addresses are compared ignoring case.
//   - The signed address of an image is sufficient to see the image: the signature is valid
//     for one paper, page and type, until a time. The unsigned address never changes, and
//     works only for readers who may see the paper.
//   - The address of a node ends with a slash, that of a file never does.
//
// Values of this package are immutable, so there are no locks.
package address
