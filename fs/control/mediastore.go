package control

import (
	"os"

	"paperfs/cache/media"
)

// MediaStore is the part of *media.Store that this package uses.
type MediaStore interface {
	Failed() []media.FailedEntry
	OpenFailed(name string) (*os.File, error)
	DiscardFailed(name string) error
	Uploads() []media.Upload
	Queue() []media.Queued
	LocalNames() []media.LocalName
	SpoolDir() string
	RetryNow()
	DiscardQueued(path string) error
}
