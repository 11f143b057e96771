// Package disk keeps what a mount writes from filling the disk: Disk knows the reserve
// that is left to others, Room also the quota of what is not at the service, and that
// the content cache gives way first. Soundness knows whether each sync has succeeded.
//
// Room.mu is taken under any lock of the media store but those of its last ranks, see
// package lock; under it only the lock of the cache that gives way.
package disk
