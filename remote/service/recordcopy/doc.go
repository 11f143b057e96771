// Package recordcopy copies the records of one engine to another, with their ids, and compares
// the result.
//
// A copy is one change of the target: an interrupted copy leaves nothing, and a complete copy is
// not repeated.
//
// [Copy] reads a [store.Exporter] and writes to a [store.Importer], table by table, and compares
// a [Digest] of each: the number of rows and an order-independent sum.
package recordcopy
