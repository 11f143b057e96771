package webhook

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"paperfs/remote/service/store"
)

const (
	// most is how many events are read at a time.
	most = 100
	// periodsTime is how often periods that began or ended are looked for.
	periodsTime = 20 * time.Second
	// firstPause and lastPause are the pauses between tries, each twice the one before.
	firstPause = 5 * time.Second
	lastPause  = time.Hour
	// asideTime is for how long an event is tried.
	asideTime = 24 * time.Hour
	// keepTime is for how long what was not accepted is kept.
	keepTime = 30 * 24 * time.Hour
)

// errLease ends a sender whose lease may run out.
var errLease = errors.New("the lease of the webhook was not renewed")

// sender sends for one webhook.
type sender struct {
	*Senders
	id    int64
	until atomic.Int64 // when the lease ends, in nanoseconds since 1970
	stop  context.CancelFunc
	ended chan struct{}

	seen    int64     // up to which row of the log this process has told everything
	settled time.Time // when this process last moved the mark over what is no event
}

func (s *Senders) start(ctx context.Context, id int64, until time.Time) *sender {
	ctx, stop := context.WithCancel(ctx)
	one := &sender{Senders: s, id: id, stop: stop, ended: make(chan struct{})}
	one.until.Store(until.UnixNano())
	go func() {
		defer close(one.ended)
		if err := one.run(ctx); err != nil && !store.IsNotFound(err) && ctx.Err() == nil {
			s.Log.Warn("a webhook gets its events later", "webhook", id, "error", err)
		}
	}()
	return one
}

func (s *sender) over() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

// run tells the receiver of events until it fails; the next claim starts it again.
func (s *sender) run(ctx context.Context) error {
	w, err := s.webhook(ctx)
	if err != nil {
		return err
	}
	news, end := s.Follow(w.Tenant)
	defer end()
	for {
		woken, changed := s.wakes(), news()
		more, err := s.round(ctx)
		if err != nil {
			return err
		}
		if more {
			continue
		}
		select {
		case <-ctx.Done():
			return nil
		case <-woken:
		case <-changed:
		case <-time.After(look):
		}
	}
}

func (s *sender) webhook(ctx context.Context) (w store.Webhook, err error) {
	err = s.Store.Read(ctx, func(tx store.Reader) error {
		w, err = tx.Webhook(s.id)
		return err
	})
	return w, err
}

// agenda is what a webhook has to be told.
type agenda struct {
	webhook store.Webhook
	settle  bool // it is time to look for periods, or to move the mark
	last    int64
	log     []store.Notice
	due     []store.Notice
}

func (s *sender) agenda(ctx context.Context, now time.Time) (a agenda, err error) {
	err = s.Store.Read(ctx, func(tx store.Reader) error {
		a = agenda{}
		if a.webhook, err = tx.Webhook(s.id); err != nil {
			return err
		}
		told, err := tx.Told(a.webhook.Tenant)
		if err != nil {
			return err
		}
		a.settle = now.Sub(told) >= periodsTime || now.Sub(s.settled) >= periodsTime // another webhook of the tenant may have told the periods
		if a.settle {
			return nil
		}
		if a.last, err = tx.LastEvent(a.webhook.Tenant); err != nil {
			return err
		}
		if a.log, err = tx.LogNotices(a.webhook, max(s.seen, a.webhook.Mark), most); err == nil {
			a.due, err = tx.DueNotices(s.id, now, most)
		}
		return err
	})
	return a, err
}

// round tells what there is. It reports whether there may be more.
func (s *sender) round(ctx context.Context) (more bool, err error) {
	now := s.Now()
	a, err := s.agenda(ctx, now)
	if err != nil {
		return false, err
	}
	if a.settle {
		return true, s.settle(ctx, a, now)
	}
	late := func() bool { return s.Now().Sub(now) >= periodsTime } // the receiver is slow
	for _, n := range a.log {
		if err := s.tellNew(ctx, &a, n); err != nil || late() {
			return true, err
		}
	}
	if len(a.log) < most {
		s.seen = a.last
	}
	for _, n := range a.due {
		if err := s.tellAgain(ctx, a.webhook, n); err != nil || late() {
			return true, err
		}
	}
	return len(a.log) == most || len(a.due) > 0, nil
}

// settle brings the mark and the periods of the tenant up to date.
func (s *sender) settle(ctx context.Context, a agenda, now time.Time) error {
	w := a.webhook
	err := s.Store.Write(ctx, w.Tenant, func(tx store.Writer) error {
		if s.seen > w.Mark { // what is no event was passed over
			if err := tx.MoveMark(w, s.seen); err != nil {
				return err
			}
		}
		if err := tx.ForgetNotices(w.ID, now.Add(-keepTime)); err != nil {
			return err
		}
		return tx.TellPeriods(w.Tenant, now)
	})
	if err == nil {
		s.settled = now
	}
	return err
}
