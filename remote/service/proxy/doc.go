// Package proxy finds out who sent a request that trusted proxies passed on: [Trusted.Through]
// reads their headers, Forwarded (RFC 7239) and X-Forwarded-For, -Proto and -Host.
//
// # Invariants
//
//   - Headers of a peer that is not trusted change nothing.
//   - If the headers of a trusted proxy cannot be read, or contradict each other, the
//     client is unknown. It never gets the proxy's own address.
package proxy
