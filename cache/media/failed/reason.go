package failed

import (
	"errors"
	"fmt"
)

// Damaged is the reason of content that was size bytes long, of which dir has less.
func Damaged(have, size int64, dir string) error {
	return Unfinished(fmt.Errorf("%d of its %d bytes were found in %s: the machine lost its power before all of it was on the disk, or somebody changed or removed that file",
		have, size, dir))
}

// partial is the reason of content that may be a part.
type partial struct{ error }

func (e partial) Unwrap() error { return e.error }

// Unfinished is a reason for content that may be a part.
func Unfinished(reason error) error { return partial{reason} }

// IsUnfinished reports whether content may be a part.
func IsUnfinished(reason error) bool { return errors.As(reason, new(partial)) }
