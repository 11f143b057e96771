package store

import "fmt"

// NewerError: what is kept was written by a newer paperfs, and this one would
// not understand it.
type NewerError struct {
	File         string
	Have, Newest int64 // schema versions: of the file, and the newest known here
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("%s was written by a newer paperfs (schema version %d, this one knows up to %d): use that paperfs", e.File, e.Have, e.Newest)
}
