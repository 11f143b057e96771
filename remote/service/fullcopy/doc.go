// Package fullcopy copies everything that a service stores from a data directory to a database
// and an object store, or back.
//
// Content is copied before the records that name it. The records are those of one moment, even if
// nodes keep changing the source; content that they started to name since the copy began is
// copied at that moment as well. An interrupted copy continues where it stopped when it is run
// again. The target cannot be served until its records are there; they are written last, in one
// change.
//
// [CopyContent] copies the contents that records name, such as from files to an object store and
// back. Content keeps its key, so the records can be copied unchanged, before or after it. Content in
// the target that has its full size is complete, because no place exposes partial content.
//
// [CopyRecords] copies the records of one engine to another, with their ids. It reads a
// [store.Exporter] and writes to a [store.Importer], table by table, and compares a [Digest] of each:
// the number of rows and an order-independent sum. It is one change of the target: an interrupted
// copy leaves nothing, and a complete copy is not repeated.
//
// [Copy] does all of this. A [Place] is the source or target, and the [Report] says what was
// copied and what was already there.
package fullcopy
