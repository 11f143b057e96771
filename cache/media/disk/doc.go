// Package disk prevents a mount from filling the disk. Disk has the reserve that stays free.
// Room adds the quota for content that is not at the service, and evicts cached content first.
// Soundness records whether all syncs have succeeded.
//
// Room.mu may be taken under any lock of the media store except those that rank after it (see
// package lock). Under it only the lock of the content cache is taken.
package disk
