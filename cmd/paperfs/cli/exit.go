package cli

// The exit codes are an interface: scripts and service managers rely on them.
// A code never changes its meaning.
const (
	ExitOK          = 0
	ExitFailure     = 1  // a failure without a code of its own
	ExitUsage       = 2  // wrong arguments, flags or environment
	ExitMountpoint  = 3  // MOUNTPOINT cannot be used: not a directory, not empty, or its parent is missing
	ExitStale       = 4  // MOUNTPOINT is a mount whose server has ended
	ExitHeld        = 5  // the account is mounted already
	ExitNoFUSE      = 6  // /dev/fuse or fusermount3 is missing
	ExitRefused     = 7  // the service refuses the credentials
	ExitUnreachable = 8  // the service cannot be reached
	ExitNoRoot      = 9  // the service has no root at the given address or id
	ExitDataHeld    = 10 // another process serves the data directory
	ExitNewer       = 11 // the state was written by a newer paperfs
	ExitDetached    = 12 // the mount was detached while programs used it
	ExitNotMounted  = 13 // the path is not in a paperfs mount
	ExitBusy        = 14 // programs use the mount, so it was not unmounted
	ExitJobFailed   = 15 // the processing job failed
	ExitEnrichment  = 16 // the pages exist, but links or enrichment failed
	ExitUnpublished = 19 // not all files were published, and waiting does not change that
	ExitForeignData = 20 // database and content of the data directory do not belong together, or one is missing
	ExitUnsound     = 21 // a check of the data found something wrong
	ExitUnwell      = 22 // doctor found a problem
)
