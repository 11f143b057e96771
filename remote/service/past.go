package service

import (
	"context"
	"math/rand/v2"
	"time"

	"paperfs/remote/service/store"
)

const (
	// pastTime is for how long the service keeps content that was replaced.
	pastTime = 24 * time.Hour
	// pastRound is how often it looks for content that it no longer keeps.
	pastRound = 10 * time.Minute
)

// keepPast forgets from time to time what is too old, until ctx ends. Every node does.
func (s *Service) keepPast(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pastRound/2 + rand.N(pastRound)):
			s.forgetPast(s.now().Add(-pastTime))
		}
	}
}

// makeRoom forgets all content that was replaced, where an upload meets the disk's reserve. It
// reports whether there was any.
func (s *Service) makeRoom() bool { return s.forgetPast(s.now().Add(time.Second)) }

// forgetPast removes the content that was replaced before a time, in changes of some thousand files,
// and reports whether there was any.
func (s *Service) forgetPast(before time.Time) (any bool) {
	for {
		var tenants []int64
		err := s.store.Read(context.Background(), func(tx store.Reader) (err error) {
			tenants, err = tx.PastTenants(before)
			return err
		})
		for _, tenant := range tenants {
			if err == nil {
				err = s.forgetPastOf(tenant, before)
			}
		}
		if err != nil {
			s.log.Warn("content that was replaced is not removed", "error", err)
		}
		if err != nil || len(tenants) == 0 {
			return any
		}
		any = true
	}
}

func (s *Service) forgetPastOf(tenant int64, before time.Time) error {
	return s.store.Write(context.Background(), tenant, func(tx store.Writer) error {
		keys, err := tx.ForgetPast(tenant, before)
		for _, key := range keys {
			if err == nil {
				err = tx.DropContent(key)
			}
		}
		return err
	})
}
