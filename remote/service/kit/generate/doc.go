// Package generate makes up the tree and media of a tenant, for tests and benchmarks; `paperfs-bench
// generate` is for people who want to see a large tenant. The same Spec always generates the same
// names, addresses, periods and texts. Ids are assigned by the store, and some awkward names contain
// an id.
//
// A [Spec] says what to generate, [Fill] generates it with [Tree] and [Library], and a [Report]
// counts it.
package generate
