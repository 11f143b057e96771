// Package recordcopy brings the records of one engine into another, with their ids,
// and compares what has come.
//
// A copy is one change of the target: of a copy that was cut short nothing is there,
// and of one that is there nothing is copied again.
//
// [Copy] reads a [store.Exporter] and writes to a [store.Importer], table by table, and
// compares a [Digest] of each: the number of rows and a sum of them, in whatever order
// they come.
package recordcopy
