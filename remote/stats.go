package remote

import (
	"sync"
	"sync/atomic"
	"time"

	"paperfs/remote/ratelimit"
)

// Stats describes what a Client has done since it was created.
type Stats struct {
	Operations    map[string]OperationStats // by name; only what was called
	BytesSent     int64                     // of request bodies
	BytesReceived int64                     // of answers and downloads, decompressed
	Budget        ratelimit.Budget
	UnderWay      []UnderWay // the oldest first
	Repeating     int        // calls that failed and pause before they are repeated
	NextRepeat    time.Time  // of the first of these; zero for none
	AwaySince     time.Time  // since when the service cannot be reached; zero if it can
	AskedAgain    time.Time  // when the next probe may go out; zero if the service is not away
	Trouble       Trouble
	Forms         bool   // the service offers to take content raw, but has refused it: content goes as base64 in forms
	Refused       string // why the service last refused the account; empty if it has accepted it since
}

// OperationStats counts the calls of an operation by their outcome.
type OperationStats struct {
	Requests uint64 // that were sent, repeats included
	Failures uint64 // calls that failed after a request was sent
	// HeldBack are calls that failed without a request: the budget was used up, or the
	// service was known to be away.
	HeldBack uint64
}

// counters collect the numbers of Stats.
type counters struct {
	sent, received atomic.Int64

	mu         sync.Mutex
	operations map[string]OperationStats // guarded by mu
}

func (c *counters) count(op string, more OperationStats) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.operations == nil {
		c.operations = make(map[string]OperationStats)
	}
	s := c.operations[op]
	s.Requests += more.Requests
	s.Failures += more.Failures
	s.HeldBack += more.HeldBack
	c.operations[op] = s
}

// Stats returns what the client has done so far.
func (c *Client) Stats() Stats {
	s := Stats{
		Operations: make(map[string]OperationStats), Budget: c.limiter.Budget(),
		BytesSent: c.counters.sent.Load(), BytesReceived: c.counters.received.Load(),
	}
	s.UnderWay = c.underWay.all()
	s.Repeating, s.NextRepeat = repeating(s.UnderWay)
	s.AwaySince, s.AskedAgain = c.health.away()
	s.Forms = c.forms.Load()
	s.Trouble, s.Refused = c.health.lastTrouble(), c.health.refusal()
	c.counters.mu.Lock()
	defer c.counters.mu.Unlock()
	for op, n := range c.counters.operations {
		s.Operations[op] = n
	}
	return s
}
