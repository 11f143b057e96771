// Package generate makes up the tree and media of a tenant, for tests, benchmarks and people who
// want to see a large tenant. The same Spec always generates the same names, addresses, periods
// and texts. Ids are assigned by the store, and some awkward names contain an id.
//
// A [Spec] says what to generate, [Tree] and [Library] generate it, and a [Report] counts it.
package generate
