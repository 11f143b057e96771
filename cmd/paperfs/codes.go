package main

// The exit codes are an interface: scripts and service managers rely on them.
// A code never changes its meaning.
const (
	exitOK          = 0
	exitFailure     = 1  // a failure without a code of its own
	exitUsage       = 2  // wrong arguments, flags or environment
	exitMountpoint  = 3  // MOUNTPOINT cannot be used: no directory, not empty, its parent missing
	exitStale       = 4  // MOUNTPOINT is a mount whose server is gone
	exitHeld        = 5  // the account is mounted already
	exitNoFUSE      = 6  // /dev/fuse or fusermount3 is missing
	exitRefused     = 7  // the service refuses the credentials
	exitUnreachable = 8  // the service cannot be reached
	exitNoRoot      = 9  // the service has no root at the address or id asked for
	exitDataHeld    = 10 // another process serves the data directory
	exitNewer       = 11 // the state was written by a newer paperfs
	exitDetached    = 12 // the mount was detached while something held it
	exitNotMounted  = 13 // no paperfs is mounted there
	exitBusy        = 14 // something holds the mount, so it was not unmounted
	exitJobFailed   = 15 // the processing job that was waited for failed
	exitEnrichment  = 16 // its pages are there, but links or enrichment failed
	exitUnpublished = 19 // nothing is on its way any more, but not all files got to the service
	exitForeignData = 20 // database and content of the data directory do not belong together, or one is missing
	exitUnsound     = 21 // a check of the data found something wrong
	exitUnwell      = 22 // doctor found something that does not work
)
