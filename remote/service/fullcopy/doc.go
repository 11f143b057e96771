// Package fullcopy copies all that a service keeps from a data directory to a
// database and an object store, and back.
//
// Content comes before the records that name it, and once more after them, for what
// was added to the source in between. A copy that is cut short goes on where it was
// when it is begun again; the target cannot be served until its records are there,
// which is in one change.
//
// [Copy] is all of it: a [Place] is either end, and the [Report] what was copied and
// what was there already.
package fullcopy
