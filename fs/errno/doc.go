// Package errno decides which errno a program gets for a failure, in one table, and tells each
// failure in words.
//
// Of is the table: of refusals of the mount's own ([Refusal]), of the media store's kinds, of
// failures of this machine and of the service's codes. A [Teller] takes the outcome of an operation:
// it returns its errno, and writes the same words to the log and to .paperfs/errors.
//
// Invariants: no errno is ENOSYS, which the kernel takes as "has no such operation"; what the
// table does not know is EIO. A call that was interrupted is told to nobody.
//
// Locks: Teller.mu is held for a moment, and no other lock is taken under it.
package errno
