package store

import (
	"context"
	"errors"

	"paperfs/remote/rules"
)

// Failures that callers distinguish. Any other error is a fault of the store.
var (
	// ErrNotFound: no such record, or it belongs to another tenant.
	ErrNotFound = errors.New("not found")
	// ErrTaken: a name or address that must be unique is in use.
	ErrTaken = errors.New("already taken")
	// ErrNoSpace: the disk is full, or its free space is down to the reserve.
	ErrNoSpace = errors.New("not enough free space")
	// ErrAway: the engine cannot be reached, or cannot work at the moment.
	ErrAway = errors.New("cannot be reached now")
	// ErrSlow: it takes longer than allowed.
	ErrSlow = errors.New("it takes too long")
	// ErrDamaged: the records are damaged and have to be restored.
	ErrDamaged = errors.New("the records are damaged")
)

// UnsureError is a failure at the very end of a change: the store could not find out whether the
// change was committed. The caller must not treat the change as undone, nor repeat it.
type UnsureError struct{ Err error }

func (e *UnsureError) Error() string { return e.Err.Error() }

func (e *UnsureError) Unwrap() error { return e.Err }

// MaxID is the largest id of any id space (contract, section 5).
const MaxID = rules.MaxID

// AllTenants is passed to Write for a change that concerns no single tenant. No other change runs
// at the same time.
const AllTenants int64 = 0

// Readers is how many Reads and Callers of a process an engine runs at a time. Others wait, in the order in which they
// came: who shares the store out to tenants admits no more.
const Readers = 12

// Store stores the records. Its methods may be called concurrently.
type Store interface {
	// Read runs f on one consistent state: the state before or after any change, never in
	// between. It does not wait for running changes, but for one of Readers others to end; so f must not Read.
	Read(ctx context.Context, f func(Reader) error) error
	// Write runs f as one change of a tenant, after all changes of that tenant and of AllTenants
	// that began earlier. If f and Write both return nil, the change is on the disk. If either
	// returns an error, none of the change is, unless the error is an *UnsureError.
	Write(ctx context.Context, tenant int64, f func(Writer) error) error
	// Caller returns the tenant and account of a request; host is as for TenantByHost. Nearly
	// every request calls it, so it is a single query without a transaction.
	Caller(ctx context.Context, host, account string) (Caller, error)
	// Ready returns an error if the records cannot be read at the moment. It never waits for a
	// Read or Write, however many are running.
	Ready(ctx context.Context) error
	// Damaged returns ErrDamaged, with the reason, after the engine has met damaged records.
	// From then on until it is opened again, it makes no change, and Ready fails: what is
	// added to damaged records is lost when they are restored. So it does while their file is
	// missing or another one is in its place.
	Damaged() error
	// Claims distributes the work of all tenants among workers.
	Claims
	// Ledger tracks contents in stores that need it.
	Ledger
	Close() error
}

// Reader has the queries inside Read or Write. It must not be used after these return, nor by
// several goroutines.
type Reader interface {
	TenantReader
	UsageReader
	AccountReader
	SessionReader
	NodeReader
	SettingReader
	TokenReader
	PageReader
	LinkReader
	OrderReader
	StatisticsReader
	JobReader
	WorkReader
	RenditionReader
	SecretReader
	FieldReader
	MediaReader
	KeptReader
	EventReader
	WebhookReader
	Inventory
}

// Writer has the changes inside Write. Its queries see its own changes.
type Writer interface {
	Reader
	TenantWriter
	UsageWriter
	AccountWriter
	SessionWriter
	NodeWriter
	SettingWriter
	TokenWriter
	PageWriter
	LinkWriter
	OrderWriter
	StatisticsWriter
	JobWriter
	WorkWriter
	RenditionWriter
	SecretWriter
	FieldWriter
	MediaWriter
	KeptWriter
	EventWriter
	WebhookWriter
	ContentWriter
}
