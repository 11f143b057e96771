package store

import (
	"time"

	"paperfs/remote"
)

// Keep says for how long a tenant's things are kept that changes took away; nil means the default.
type Keep struct {
	Days  *int64 // 0: what was deleted is not kept
	Bytes *int64 // the oldest goes when there is more
}

// DefaultKeepDays is for how many days things are kept, unless the tenant has another figure.
const DefaultKeepDays = 30

// ForDays returns for how many days things are kept.
func (k Keep) ForDays() int64 {
	if k.Days == nil {
		return DefaultKeepDays
	}
	return *k.Days
}

// By says who takes something away, and when.
type By struct {
	At      time.Time
	Account string
	// Nothing is kept of what is deleted but that it ended. The caller drops its content.
	Nothing bool
}

// KeptKind says what a Kept was.
type KeptKind int

// The kinds, as the table kept numbers them.
const (
	KeptFile KeptKind = 1 + iota
	KeptDir
	KeptNode
	KeptPDF
)

// Kept is an entry: something that a change took away.
type Kept struct {
	ID       int64
	Kind     KeptKind
	By       By
	Replaced bool            // another version was there after it, not nothing
	Holds    bool            // there is something to bring back
	Undone   bool            // how it was before has come back; see KeptWriter.Undone
	TakenUp  bool            // another account's file has, or had, its id; see KeptWriter.TakenUp
	Node     remote.NodeKind // of a paper or category
	URLName  string          // of a paper or category, also of a PDF's
	// File has the id, place, version and content of what was taken away: of a directory, paper or
	// category ID, Dir (its parent) and Name, of a PDF the ID of its paper. Only KeptReader.Kept fills in Small.
	File
}

// KeptReader finds what changes took away.
type KeptReader interface {
	// PastFile returns a version that was taken away: size, digest and content, which is compared as by SmallContent.
	PastFile(tenant, id, version int64) (File, error)
	// Successor returns the file that a file became when it ended, if it still has its content.
	Successor(tenant, id int64) (File, error)
	// Kept returns an entry that holds something. Small content is compared as by SmallContent.
	Kept(tenant, entry int64) (Kept, error)
	// Entries returns the entries since a time that hold something, newest first, at most some.
	Entries(tenant int64, since time.Time, most int) ([]Kept, error)
	// KeptParents returns the directories, papers and categories that were deleted, oldest first. One
	// that holds nothing was purged, but is above something else that is kept.
	KeptParents(tenant int64) ([]Kept, error)
	// KeptBelow reports whether anything is kept that was in a directory or category.
	KeptBelow(tenant int64, kind KeptKind, id int64) (bool, error)
	// KeptPDF reports whether an entry has a PDF, and whether a job has it.
	KeptPDF(key string) (kept, inWork bool, err error)
	// KeepingTenants returns the tenants of which anything is kept.
	KeepingTenants() ([]int64, error)
	// Held returns the bytes of a tenant's media files and PDFs.
	Held(tenant int64) (int64, error)
	// KeptBytes returns the bytes of a tenant's entries.
	KeptBytes(tenant int64) (int64, error)
	// Outdated returns entries that are to go, oldest first, some thousand at most.
	Outdated(tenant int64, o Outdated) ([]Kept, error)
}

// Outdated says which entries are to go. Times are those of the removal.
type Outdated struct {
	Before time.Time // what was taken away before it
	Bytes  int64     // what is older than so many bytes of younger entries,
	Spared time.Time // unless it was taken away at this time or later
	Ended  time.Time // that files ended before it is forgotten
}

// KeptWriter changes what is kept.
type KeptWriter interface {
	// KeepNode deletes a node without children, and keeps it with everything attached to it but its
	// preview tokens. From then on it belongs to a hidden tenant: nothing finds it by its id or address.
	KeepNode(id int64, by By) error
	// ReturnNode gives a kept node its tenant again, and a parent, name and url name, and returns its new
	// version. ErrTaken: see NodeWriter.
	ReturnNode(n Node) (version int64, err error)
	// KeepPDF keeps the PDF of a paper, which that of a job replaces.
	KeepPDF(w Work, at time.Time) error
	// UseKeptPDF forgets the entry of a PDF, which is that of its paper again.
	UseKeptPDF(key string) error
	// PurgeNode removes a kept node and everything attached to it.
	PurgeNode(id int64) error
	// Forget removes an entry. The caller drops its content, if nothing else has it.
	Forget(entry int64) error
	// Undone marks what was taken away of a file or paper from an entry on: the next that brings back all
	// passes over it.
	Undone(kind KeptKind, id, entry int64) error
	// NotUndone marks the entry of a PDF whose job failed: it did not come back.
	NotUndone(key string) error
	// TakenUp marks the entry of a deleted file whose id a new one has, unless the account itself had deleted it.
	TakenUp(file int64, account string) error
	// Empty removes the content of an entry, which then tells only that the file ended.
	Empty(entry int64) error
}
