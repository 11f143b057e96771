// Package lock provides the mutexes of content and of the media store. Each has a rank, given by
// its type, so that tests can check the lock order.
//
// [Mutex] and [RWMutex] are those of package sync with a [Rank]. The ranks are listed in
// rank.go in their order; the documentation of package media says what each lock guards. After
// [Check], a lock that is taken out of order ends the process. Tests call it first; a mount
// does not, and then the locks cost no more than those of package sync.
//
// Invariants: under a lock only locks of later ranks are taken, or another of rank Body. The
// goroutine that took a lock releases it.
//
// The mutex of Check's own records is a leaf.
package lock
