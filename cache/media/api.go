package media

import (
	"paperfs/cache/content/failed"
	"paperfs/cache/content/inode"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/handle"
	"paperfs/cache/media/names"
	"paperfs/cache/media/option"
	"paperfs/cache/media/queue"
	"paperfs/cache/media/reconcile"
	"paperfs/cache/media/upload"
)

// Aliases of types in the packages below, for callers of this package.
type (
	Ino      = inode.Ino
	FileKind = inode.FileKind
	Where    = inode.Where
	Attr     = inode.Attr
	Change   = inode.Change
	New      = inode.New
	Digest   = inode.Digest

	Kind  = refusal.Kind
	Error = refusal.Error

	State = journal.State

	FailedEntry = failed.Entry

	PDF = tree.PDF

	Options = option.Options
	Service = option.Service

	Changed = names.Changed
	Listing = names.Listing
	Entry   = names.Entry
	Moment  = reconcile.Moment
	Handle  = handle.Handle
	Queued  = queue.Queued
	Upload  = queue.Upload

	Processor = upload.Processor
	Sending   = upload.Sending
)

const (
	Source       = names.Source       // see there
	OffsetBits   = names.OffsetBits   // see there
	SeenEdition  = upload.SeenEdition // see there
	SendsNothing = queue.SendsNothing // see there
)

// See package inode.
const (
	Root      = inode.Root
	Owner     = inode.Owner
	Directory = inode.Directory
	File      = inode.File
	Symlink   = inode.Symlink
	Published = inode.Published
	Writing   = inode.Writing
	Pending   = inode.Pending
	Local     = inode.Local
)

// See package refusal.
const (
	Invalid      = refusal.Invalid
	TooLong      = refusal.TooLong
	Exists       = refusal.Exists
	NotFound     = refusal.NotFound
	NotDirectory = refusal.NotDirectory
	IsDirectory  = refusal.IsDirectory
	NotEmpty     = refusal.NotEmpty
	Forbidden    = refusal.Forbidden
	LocalOnly    = refusal.LocalOnly
	Unsupported  = refusal.Unsupported
	OtherDevice  = refusal.OtherDevice
	NoContent    = refusal.NoContent
	Full         = refusal.Full
	OverQuota    = refusal.OverQuota
	TooBig       = refusal.TooBig
	Newer        = refusal.Newer
	Stale        = refusal.Stale
	Superseded   = refusal.Superseded
	Damaged      = refusal.Damaged
)

// Is reports whether err is a refusal of kind k.
func Is(err error, k Kind) bool { return refusal.Is(err, k) }
