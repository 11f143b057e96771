// Package errno maps failures to errnos, in one table, and reports each failure in words.
//
// [Of] is the table. It covers the mount's own refusals ([Refusal]), the media store's
// kinds, local failures and the service's codes. A [Teller] takes the outcome of an
// operation: it returns the errno, and writes the same words to the log and to
// .paperfs/errors.
//
// Invariants: no errno is ENOSYS, which the kernel takes as "has no such operation"; a
// failure that is not in the table is EIO. An interrupted call is not reported.
//
// Locks: Teller.mu is a leaf, held only to read or set a field.
package errno
