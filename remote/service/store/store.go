package store

import (
	"context"
	"errors"

	"paperfs/remote/rules"
)

// Failures that callers tell apart. Anything else is a fault of the store.
var (
	// ErrNotFound: no such record, or it belongs to another tenant.
	ErrNotFound = errors.New("not found")
	// ErrTaken: a name or address that has to be unique is in use.
	ErrTaken = errors.New("already taken")
	// ErrNoSpace: the disk is full, or its free space is down to the reserve.
	ErrNoSpace = errors.New("not enough free space")
	// ErrAway: the engine cannot be reached, or cannot do its work now.
	ErrAway = errors.New("cannot be reached now")
	// ErrSlow: it takes longer than it may.
	ErrSlow = errors.New("it takes too long")
)

// UnsureError is the failure of a change at its very end: whether it is kept could not be
// asked. Nobody may act as if it were undone, or make it again, before Kept says so.
type UnsureError struct {
	Err error
	// Kept asks again. ErrNotFound: it is too late to know.
	Kept func(ctx context.Context) (bool, error)
}

func (e *UnsureError) Error() string { return e.Err.Error() }

func (e *UnsureError) Unwrap() error { return e.Err }

// MaxID is the greatest id of any space (contract, section 5).
const MaxID = rules.MaxID

// AllTenants is given to Write for a change that concerns no single tenant. No
// other change runs beside it.
const AllTenants int64 = 0

// Store keeps the records. Its methods may be called at the same time.
type Store interface {
	// Read runs f on one consistent state: that before or after any change,
	// never one in between. It does not wait for changes under way.
	Read(ctx context.Context, f func(Reader) error) error
	// Write runs f as one change of a tenant, after all changes of it that began
	// earlier, and after those of AllTenants. When f returns nil and Write does
	// too, the change is on the disk; when either fails, nothing of it is, unless
	// with an *UnsureError.
	Write(ctx context.Context, tenant int64, f func(Writer) error) error
	// Caller returns what is known of who calls, host being as for TenantByHost.
	// Nearly every request asks for it, so it is one step and no transaction.
	Caller(ctx context.Context, host, account string) (Caller, error)
	// Ready fails where the records cannot be asked now. It waits for no Read and no
	// Write, however many there are.
	Ready(ctx context.Context) error
	// Claims are what workers take of the work of all tenants.
	Claims
	// Ledger is for contents that need one.
	Ledger
	Close() error
}

// Reader is what can be asked inside Read or Write. It must not be used after
// they returned, nor by several goroutines.
type Reader interface {
	TenantReader
	UsageReader
	AccountReader
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
	Inventory
}

// Writer is what can be changed inside Write; it sees its own changes.
type Writer interface {
	Reader
	TenantWriter
	UsageWriter
	AccountWriter
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
	ContentWriter
}
