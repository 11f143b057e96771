// Package fullcopy copies all that a service keeps from a data directory to a
// database and an object store, and back.
//
// Content comes before the records that name it. The records are those of one moment, also
// where nodes go on changing the source; what they came to name since the copy began is
// copied at that moment, too. A copy that is cut short goes on where it was when it is begun
// again; the target cannot be served until its records are there, which is in one change,
// the last of all.
//
// [Copy] is all of it: a [Place] is either end, and the [Report] what was copied and
// what was there already.
package fullcopy
