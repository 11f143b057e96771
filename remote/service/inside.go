package service

import (
	"context"
	"time"

	"paperfs/remote/service/admission"
	"paperfs/remote/service/call"
	"paperfs/remote/service/store"
	"paperfs/remote/service/webhook"
)

// Inside has the parts of a service that tests of the whole look at and change (remote/service/apitest). No program
// uses it: nothing guards these parts, and a change of them acts from the next request on.
type Inside struct {
	*call.Service
	Engine     store.Store // Store without what measures it and follows its changes
	Webhooks   *webhook.Senders
	Reads      *admission.Gate
	LeastKept  *int64
	DrainLimit *time.Duration

	service *Service
}

// Inside returns the inside of the service, for tests.
func (s *Service) Inside() *Inside {
	return &Inside{Service: s.calls, Engine: s.calls.Followers.Store, Webhooks: s.webhooks, Reads: s.reads, LeastKept: &s.leastKept, DrainLimit: &s.drainLimit, service: s}
}

// SetPatience changes how long a search or a walk waits for its place.
func (i *Inside) SetPatience(d time.Duration) {
	i.service.setPatience(d)
	i.Reader.Searches = i.service.readers
}

// Gates returns how many searches, walks and readers' searches may run at once.
func (i *Inside) Gates() (searches, walks, readers int) { return mostSearches, mostWalks, mostReaders }

// Purge removes what is no longer kept, as the janitor does, and reports whether there was any.
func (i *Inside) Purge() bool { return i.service.purge(i.service.outdated) }

// MakeRoom removes some of what is kept, as a full disk does, and reports whether there was any.
func (i *Inside) MakeRoom() bool { return i.service.makeRoom() }

// CutEvents cuts the log of changes.
func (i *Inside) CutEvents(before time.Time) { i.service.cutEvents(context.Background(), before) }

// Followers returns how many requests are held.
func (i *Inside) Followers() (held int) { return i.Service.Followers.Count() }

// Follow holds a place of a tenant.
func (i *Inside) Follow(tenant int64) (leave func()) {
	_, leave = i.Service.Followers.Follow(tenant)
	return leave
}
