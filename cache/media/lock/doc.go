// Package lock has the mutexes of the media store, each with a rank that its type tells, so that
// tests can see that none is taken against the order.
//
// [Mutex] and [RWMutex] are those of package sync with a [Rank]. The ranks stand in rank.go, in
// their order; the documentation of package media says what each lock guards. [Check] has every
// lock that is taken against the order end the process. Tests call it first; a mount does not, and
// then a lock costs what it does without a rank.
//
// Invariants: under a lock only locks of later ranks are taken, or another of rank Body. A
// goroutine lets go of what it took itself.
//
// The mutex of the notes that Check needs is a leaf.
package lock
