package exit

// The exit codes are an interface: scripts and service managers rely on them.
// A code never changes its meaning.
const (
	OK          = 0
	Failure     = 1  // a failure without a code of its own
	Usage       = 2  // wrong arguments, flags or environment
	Mountpoint  = 3  // MOUNTPOINT cannot be used: not a directory, not empty, or its parent is missing
	Stale       = 4  // MOUNTPOINT is a mount whose server has ended
	Held        = 5  // the account is mounted already
	NoFUSE      = 6  // /dev/fuse or fusermount3 is missing
	Refused     = 7  // the service refuses the credentials
	Unreachable = 8  // the service cannot be reached
	NoRoot      = 9  // the service has no root at the given address or id
	DataHeld    = 10 // another process serves the data directory
	Newer       = 11 // the state was written by a newer paperfs
	Detached    = 12 // the mount was detached while programs used it
	NotMounted  = 13 // the path is not in a paperfs mount
	Busy        = 14 // programs use the mount, so it was not unmounted
	JobFailed   = 15 // the processing job failed
	Enrichment  = 16 // the pages exist, but links or enrichment failed
	Unpublished = 19 // nothing is under way any more, but not all files were published
	ForeignData = 20 // database and content of the data directory do not belong together, or one is missing
	Unsound     = 21 // a check of the data found something wrong
	Unwell      = 22 // doctor found a problem
)
