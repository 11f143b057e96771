package store

import (
	"time"

	"paperfs/remote"
)

// EventKind says what changed, as the table event numbers it. 0 is for changes that nobody is told of, but
// for which who waits looks whether the account is still there.
type EventKind int

// The kinds.
const (
	EventNode EventKind = 1 + iota
	EventFile
	EventDir
	EventJob
	EventSetting
	EventKept
)

// Event is a thing that changed after a mark, as it is now.
type Event struct {
	Kind      EventKind
	ID        int64  // of a job or setting, its node's
	Of        string // the GUID of a job, the name of a setting; else ""
	Gone      bool   // then it has nothing of what follows
	Parent    int64
	Name      string
	Version   int64
	Node      remote.NodeKind // what follows is of a node
	URLName   string
	Period    remote.Period
	Edition   int64
	Pages     int // of a paper
	NotPublic bool
	Size      int64            // of a file, in bytes
	SHA256    [32]byte         // of a file
	Status    remote.JobStatus // of a job
	Account   string           // whose call made the last change; "" for none
}

// EventReader reads the log of changes. Triggers write it, in the change itself, so no change is without its row. The
// rows of a tenant have growing numbers, since a change holds the lock of its tenant.
type EventReader interface {
	// Epoch is a name for the numbers that are given now. Where an older state was restored or copied, it is another one:
	// they may go back.
	Epoch() (string, error)
	// LastEvent returns the number of a tenant's newest row, which is never cut; 0: there is no such tenant.
	LastEvent(tenant int64) (int64, error)
	// HasEvent reports whether a row of a tenant, which was its newest in an epoch, is in the log. Then all that came
	// after it are.
	HasEvent(tenant int64, epoch string, number int64) (bool, error)
	// Events returns what changed after a row, of a kind or, with 0, of all, but for what only a client changed; at most some.
	Events(tenant, after int64, of EventKind, but string, most int) ([]Event, error)
	// EventKinds returns of which kinds these are.
	EventKinds(tenant, after int64, but string) ([]EventKind, error)
	// OldEvents returns the tenants with rows from before a time that can be cut.
	OldEvents(before time.Time) ([]int64, error)
}

// EventWriter changes the log.
type EventWriter interface {
	// SignEvents says that an account made a tenant's changes after a row, by a client that may have no name.
	SignEvents(tenant, after int64, account, client string) error
	// CutEvents removes a tenant's rows from before a time, but for the newest.
	CutEvents(tenant int64, before time.Time) error
}
