package remote

import (
	"context"
	"errors"
	"sync"
	"time"
)

// A 404 for an optional operation has two possible reasons: the service does not have
// the operation, or a proxy answers while the service restarts. The operation counts
// as absent only if the service itself answers at that time. The client tries it again
// after firstAbsence, later after longestAbsence.
const (
	firstAbsence   = time.Minute
	longestAbsence = time.Hour
)

// absences are the optional operations that this service seems to lack.
type absences struct {
	now func() time.Time

	asking chan struct{} // holds a token while a call checks whether the service answers

	mu       sync.Mutex             // guards what follows
	answered map[*Operation]bool    // by the service itself
	lacking  map[*Operation]absence // operations that it seems to lack
	spoke    time.Time              // when the last check got an answer of the service itself
}

// absence is the time in which an operation is not called.
type absence struct {
	since, until time.Time
	lasts        time.Duration // 0: forever
}

// has notes that the service has answered an operation itself.
func (a *absences) has(op *Operation) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.answered[op] = true
	delete(a.lacking, op)
}

// lacks reports whether calling an operation is useless now.
func (a *absences) lacks(op *Operation) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	l, absent := a.lacking[op]
	return absent && (l.lasts == 0 || within(a.now(), l.since, l.until))
}

// within reports whether a time is between two others. It is false if the clock was set
// back to before both.
func within(t, from, to time.Time) bool { return !t.Before(from) && t.Before(to) }

// never records that the service itself reported the operation as unknown.
func (a *absences) never(op *Operation) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.lacking[op] = absence{}
}

// add notes that an operation is absent for a while.
func (a *absences) add(op *Operation) {
	a.mu.Lock()
	defer a.mu.Unlock()
	lasts := firstAbsence
	if a.lacking[op].lasts > 0 {
		lasts = longestAbsence
	}
	now := a.now()
	a.lacking[op] = absence{now, now.Add(lasts), lasts}
}

// offered reports whether the service has answered an operation itself.
func (a *absences) offered(op *Operation) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.answered[op]
}

// offered reports whether op may be called.
func (c *Client) offered(op *Operation) bool {
	if offers, known := c.Offers(); op.Offer == OfferPages && known && !offers.Pages {
		return false
	}
	return !op.Extended || !c.onlyTwenty && !c.absences.lacks(op)
}

// missing reports whether an optional operation that was answered with 404 is
// absent. It costs at most 1 request a minute, however many operations are missing.
func (c *Client) missing(ctx context.Context, op *Operation) bool {
	if c.absences.offered(op) || !c.speaks(ctx) {
		return false
	}
	c.absences.add(op)
	return true
}

// speaks reports whether the service itself answers, or did within the last
// minute when it was asked whether it does.
func (c *Client) speaks(ctx context.Context) bool {
	a := c.absences
	select {
	case a.asking <- struct{}{}:
		defer func() { <-a.asking }()
	case <-ctx.Done():
		return false
	}
	a.mu.Lock()
	spoke := a.spoke
	a.mu.Unlock()
	if !spoke.IsZero() && within(a.now(), spoke, spoke.Add(firstAbsence)) {
		return true
	}
	if c.Answers(ctx) != nil {
		return false
	}
	a.mu.Lock()
	a.spoke = a.now()
	a.mu.Unlock()
	return true
}

// Answers makes a small call that every service knows. It fails if the service refuses
// the account, or if the answer does not come from the service itself.
func (c *Client) Answers(ctx context.Context) error {
	_, _, err := c.GetPaperIDFromUrl(ctx, "/")
	if e, ok := errors.AsType[*Error](err); ok && e.Kind == Refused && e.Code == Failure {
		return nil
	}
	return err
}
