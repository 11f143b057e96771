package store

import (
	"errors"
	"fmt"
)

// IsNotFound reports whether a look-up found nothing.
func IsNotFound(err error) bool { return errors.Is(err, ErrNotFound) }

// IgnoreNotFound is for a look-up that may find nothing.
func IgnoreNotFound(err error) error {
	if IsNotFound(err) {
		return nil
	}
	return err
}

// Lost makes another failure of content that is missing although its record is
// there: no caller may take that for content that never was.
func Lost(err error) error {
	if IsNotFound(err) {
		return fmt.Errorf("a record names content that is missing (see paperfs admin check): %v", err)
	}
	return err
}
