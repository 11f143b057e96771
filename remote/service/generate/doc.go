// Package generate makes up a tenant's tree and media, for tests, benchmarks
// and people who want to see a large tenant. The same Spec always makes the
// same names, addresses, periods and texts; the ids are the store's, and of the
// awkward names some quote an id.
//
// A [Spec] says what is made, [Tree] and [Library] make it, and a [Report] counts it.
package generate
