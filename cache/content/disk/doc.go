// Package disk prevents a mount from filling the disk. Disk has the reserve that stays free.
// Room adds the quota for content that is not at the service, and evicts cached content first.
// Soundness records whether all syncs have succeeded. CrashPoint marks the points at which tests kill
// the process.
package disk
