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
	last     error  // of the last failure
	pause    *pause // that runs, nil where none does

	interrupt context.CancelCauseFunc // of the Send that is under way
}

// pause is the time before which a key is not sent again.
type pause struct {
	until time.Time
	timer *time.Timer
}

func (p *pause) stop() {
	if p != nil {
		p.timer.Stop()
	}
}
