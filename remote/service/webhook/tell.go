package webhook

import (
	"context"
	"slices"
	"time"

	"paperfs/remote/service/store"
)

// tellNew tells an event of the log, or keeps it.
func (s *sender) tellNew(ctx context.Context, a *agenda, n store.Notice) error {
	w := &a.webhook
	if !slices.Contains(w.Events, n.Event) || slices.ContainsFunc(a.log, func(o store.Notice) bool { return supersedes(o, n) }) {
		s.seen = n.Number
		return nil
	}
	n.Due = s.Now()
	if !n.Behind {
		failure, err := s.try(ctx, *w, n)
		if err != nil {
			return err
		}
		if failure == nil {
			s.seen = n.Number
			return s.move(ctx, w, n, nil)
		}
		n = s.failed(n, failure)
	}
	if err := s.move(ctx, w, n, &n); err != nil {
		return err
	}
	s.seen = n.Number
	for i := range a.log {
		a.log[i].Behind = a.log[i].Behind || a.log[i].Node == n.Node
	}
	return nil
}

// supersedes reports whether a later event says all that an earlier one says.
func supersedes(later, n store.Notice) bool {
	return later.Number > n.Number && later.Event == n.Event && later.Node == n.Node && later.Name == n.Name &&
		(n.Event == store.HookChanged || n.Event == store.HookProcessed || n.Event == store.HookFailed)
}

// move moves the mark over an event, which may wait as a notice.
func (s *sender) move(ctx context.Context, w *store.Webhook, n store.Notice, waits *store.Notice) error {
	err := s.Store.Write(context.WithoutCancel(ctx), w.Tenant, func(tx store.Writer) error {
		err := tx.MoveMark(*w, n.Number)
		if err == nil && waits != nil {
			err = tx.AddNotice(w.ID, *waits)
		}
		return err
	})
	if err == nil {
		w.Mark = n.Number
	}
	return err
}

// tellAgain tries a notice once more.
func (s *sender) tellAgain(ctx context.Context, w store.Webhook, n store.Notice) error {
	failure, err := s.try(ctx, w, n)
	if err != nil {
		return err
	}
	if failure != nil {
		n = s.failed(n, failure)
	}
	return s.Store.Write(context.WithoutCancel(ctx), w.Tenant, func(tx store.Writer) error {
		if failure == nil {
			return tx.DropNotice(w.ID, n.Number)
		}
		return tx.ChangeNotice(w.ID, n)
	})
}

// failed returns a notice after another failure.
func (s *sender) failed(n store.Notice, failure error) store.Notice {
	now := s.Now()
	if n.Since.IsZero() {
		n.Since = now
	}
	n.Due = now.Add(min(firstPause<<min(n.Tries, 20), lastPause))
	n.Tries++
	n.Reason = failure.Error()
	if n.Aside = now.Sub(n.Since) >= asideTime; n.Aside {
		s.Log.Warn("an event is set aside: the webhook did not accept it for a day", "webhook", s.id, "event", n.Event)
	}
	return n
}

// try sends an event once. It returns why the receiver did not accept it, or why it could not be sent.
func (s *sender) try(ctx context.Context, w store.Webhook, n store.Notice) (failure, err error) {
	var m Message
	err = s.Store.Read(ctx, func(tx store.Reader) error {
		m, err = describe(tx, s.Base, w, n)
		return err
	})
	if err != nil {
		return nil, err
	}
	id, body, err := m.Encode(n.Number)
	if err != nil {
		return nil, err
	}
	if time.Now().Add(tryTime).UnixNano() > s.until.Load() {
		return nil, errLease
	}
	if failure = s.poster.Post(ctx, w, id, s.Now(), body); failure == nil {
		return nil, nil
	}
	return failure, ctx.Err()
}
