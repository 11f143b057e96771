// Package address knows the addresses of the service: the host names that select a tenant
// ([Host]), the paths of papers and categories ([Node], [FindNode]), media files ([File]) and
// page images ([Images]), how addresses in answers begin ([Base.Public]), and the address that a
// request came from ([Client]), also if trusted proxies passed it on: [Trusted.Through] reads
// their headers, Forwarded (RFC 7239) and X-Forwarded-For, -Proto and -Host.
//
// [Walk] and [InOrder] find nodes of a tenant's tree together with their addresses, in the order
// of the tree. A [Place] keeps no address. It makes its address when [Place.URL] asks for it: the
// addresses of a deep tree would take memory with the square of its depth.
//
// # Invariants
//
//   - Addresses are compared ignoring case.
//   - The signed address of an image is sufficient to see the image: the signature is valid
//     for one paper, page and type, until a time. The unsigned address never changes, and
//     works only for readers who may see the paper.
//   - Only callers of an operation are told the signed address of a paper's statistics. It
//     is sufficient to see them until a time; no other address of the paper is.
//   - The address of a node ends with a slash, that of a file never does.
//   - Headers of a peer that is not trusted change nothing.
//   - If the headers of a trusted proxy cannot be read, or contradict each other, the
//     client is unknown. It never gets the proxy's own address.
//
// Values of this package are immutable, so there are no locks.
package address
