package failed

import (
	"errors"
	"fmt"
)

// Damaged is the reason for content of size bytes, of which only have bytes were found in dir.
func Damaged(have, size int64, dir string) error {
	return Unfinished(fmt.Errorf("%d of its %d bytes were found in %s: the machine lost power before everything reached the disk, or someone changed or removed that file",
		have, size, dir))
}

// partial is the reason for content that may be incomplete.
type partial struct{ error }

func (e partial) Unwrap() error { return e.error }

// Unfinished marks a reason as one for content that may be incomplete.
func Unfinished(reason error) error { return partial{reason} }

// IsUnfinished reports whether Unfinished marked the reason.
func IsUnfinished(reason error) bool { return errors.As(reason, new(partial)) }
