package media

import (
	"paperfs/cache/media/draft"
	"paperfs/cache/media/failed"
	"paperfs/cache/media/inode"
	"paperfs/cache/media/journal"
	"paperfs/cache/media/refusal"
)

// What callers of this package use of the packages below it.
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

	Draft     = draft.Draft
	Publisher = draft.Publisher
	Queuing   = draft.Queuing
	QueuedPDF = draft.Queued
)

// See package inode.
const (
	Root      = inode.Root
	Owner     = inode.Owner
	Directory = inode.Directory
	File      = inode.File
	Symlink   = inode.Symlink
	Fifo      = inode.Fifo
	Socket    = inode.Socket
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
	NoContent    = refusal.NoContent
	Full         = refusal.Full
	TooBig       = refusal.TooBig
	Newer        = refusal.Newer
	Damaged      = refusal.Damaged
)

// Is reports whether err is a refusal of kind k.
func Is(err error, k Kind) bool { return refusal.Is(err, k) }
