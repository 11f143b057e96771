package service

import (
	"context"
	"time"

	"paperfs/remote/service/admission"
	"paperfs/remote/service/processing"
	"paperfs/remote/service/reader"
	"paperfs/remote/service/store"
	"paperfs/remote/service/webhook"
)

// Inside has the parts of a service that tests of the whole look at and change (remote/service/apitest). No program
// uses it: nothing guards these parts, and a change of them acts from the next request on.
type Inside struct {
	Options  *Options
	Store    *store.Store // what requests read and write
	Engine   store.Store  // the same without what measures it and follows its changes
	Contents *store.Contents
	Reader   *reader.Reader
	Queue    *processing.Queue
	Webhooks *webhook.Senders

	Reads      *admission.Gate
	Addresses  *admission.AddressRate
	Strangers  *admission.Strangers
	Bodies     *admission.Bounds
	UnderWay   *admission.Requests
	SpoolFrom  *int
	Unadmitted *int64
	LeastKept  *int64
	Stall      *time.Duration
	DrainLimit *time.Duration

	service *Service
}

// Inside returns the inside of the service, for tests.
func (s *Service) Inside() *Inside {
	return &Inside{Options: &s.options, Store: &s.store, Engine: s.followers.store, Contents: &s.contents, Reader: &s.reader, Queue: s.queue, Webhooks: s.webhooks,
		Reads: s.reads, Addresses: s.addresses, Strangers: &s.strangers, Bodies: s.bodies, UnderWay: s.underWay, SpoolFrom: &s.spoolFrom, Unadmitted: &s.unadmitted, LeastKept: &s.leastKept,
		Stall: &s.stall, DrainLimit: &s.drainLimit, service: s}
}

// SetPatience changes how long a search or a walk waits for its place.
func (i *Inside) SetPatience(d time.Duration) {
	i.service.setPatience(d)
	i.service.reader.Searches = i.service.readers
}

// Gates returns how many searches, walks and readers' searches may run at once.
func (i *Inside) Gates() (searches, walks, readers int) { return mostSearches, mostWalks, mostReaders }

// Waiting returns how many calls wait for a search and for a walk.
func (i *Inside) Waiting() (searches, walks int) {
	return i.service.searches.Waiting(), i.service.walks.Waiting()
}

// Purge removes what is no longer kept, as the janitor does, and reports whether there was any.
func (i *Inside) Purge() bool { return i.service.purge(i.service.outdated) }

// MakeRoom removes some of what is kept, as a full disk does, and reports whether there was any.
func (i *Inside) MakeRoom() bool { return i.service.makeRoom() }

// CutEvents cuts the log of changes.
func (i *Inside) CutEvents(before time.Time) { i.service.cutEvents(context.Background(), before) }

// Followers returns how many requests are held.
func (i *Inside) Followers() (held int) {
	f := i.service.followers
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, t := range f.tenants {
		held += t.held
	}
	return held
}

// Follow holds a place of a tenant.
func (i *Inside) Follow(tenant int64) (leave func()) {
	_, leave = i.service.followers.follow(tenant)
	return leave
}
