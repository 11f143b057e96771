package outbox

import (
	"context"
	"time"
)

// entry is a key in the outbox. Outbox.mu guards it.
type entry[K comparable] struct {
	key      K
	order    uint64
	state    State
	failures int
	last     error  // error of the last failure
	pause    *pause // the running pause, or nil

	interrupt context.CancelCauseFunc // ends the Send in progress
}

// pause is a running timer; until then the key is not sent again.
type pause struct {
	until time.Time
	timer *time.Timer
}

func (p *pause) stop() {
	if p != nil {
		p.timer.Stop()
	}
}
