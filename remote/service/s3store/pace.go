package s3store

import "time"

const (
	// batch is how many objects one request removes; it is the maximum of S3.
	batch = 1000
	// pace is the pause after a batch: removal is not urgent, but callers' requests are.
	pace = 200 * time.Millisecond
	// rounds is the average pause between rounds of a janitor.
	rounds = 10 * time.Minute
	// removeAttempts is how often removeParts retries while others remove the same parts.
	removeAttempts = 3
	// mostFailures is how many temporary failures end a round.
	mostFailures = 32
	// stuckTime is how long content waits after it could not be removed.
	stuckTime = time.Hour
)

// ages are how long content stays in a state before it is given up or removed.
type ages struct{ intended, dropped time.Duration }

var defaultAges = ages{24 * time.Hour, time.Hour}
