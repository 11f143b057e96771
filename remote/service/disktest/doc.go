// Package disktest tells tests what a power cut leaves on a disk.
//
// A program runs under strace, and every change that it makes to files below a
// directory is recorded. A model of the disk follows: what was written is
// there for certain once an fsync of the file that began afterwards has
// succeeded, and a name once its directory was fsynced; a rename is there
// whole or not at all, as on ext4, XFS and btrfs. All else may be there or not.
// Such disks can be had of any moment, and opened by the code under test.
//
// The program tells the moments at which it promises something (Say).
package disktest
