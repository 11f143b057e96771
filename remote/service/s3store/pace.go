package s3store

import "time"

const (
	// batch is how many objects are removed by one request, which is the most.
	batch = 1000
	// pace is the pause after a batch: removal has no hurry, and callers have.
	pace = 200 * time.Millisecond
	// rounds is how often a janitor looks, about.
	rounds = 10 * time.Minute
	// looks is how often parts are looked for that others remove.
	looks = 3
	// mostFailures is how many requests of a round may fail in a way that may pass.
	mostFailures = 32
	// stuckTime is how long content waits that could not be removed.
	stuckTime = time.Hour
)

// ages are how old content gets that is to be removed.
type ages struct{ intended, dropped time.Duration }

var defaultAges = ages{24 * time.Hour, time.Hour}
