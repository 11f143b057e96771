// Package disktest shows tests what a power cut leaves on a disk.
//
// A program runs under strace, which records every change that it makes to files below a
// directory. A model of the disk follows the calls: written data is certain to be on the disk
// once an fsync of the file that began afterwards has succeeded, and a name once its directory
// was fsynced. A rename is atomic, as on ext4, XFS and btrfs. Everything else may be on the disk
// or not. Tests can restore such a disk for any moment and open it with the code under test.
//
// The program marks the moments at which it promises something (Say).
package disktest
