// Package fullcopy copies everything that a service stores from a data directory to a database
// and an object store, or back.
//
// Content is copied before the records that name it. The records are those of one moment, even if
// nodes keep changing the source; content that they started to name since the copy began is
// copied at that moment as well. An interrupted copy continues where it stopped when it is run
// again. The target cannot be served until its records are there; they are written last, in one
// change.
//
// [Copy] does all of this. A [Place] is the source or target, and the [Report] says what was
// copied and what was already there.
package fullcopy
