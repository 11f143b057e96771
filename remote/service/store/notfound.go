package store

import (
	"errors"
	"fmt"
)

// IsNotFound reports whether a lookup found nothing.
func IsNotFound(err error) bool { return errors.Is(err, ErrNotFound) }

// IgnoreNotFound returns nil for ErrNotFound, for a lookup that may find nothing.
func IgnoreNotFound(err error) error {
	if IsNotFound(err) {
		return nil
	}
	return err
}

// Lost replaces ErrNotFound for content that is missing although a record names it: no caller may
// treat that as content that never existed.
func Lost(err error) error {
	if IsNotFound(err) {
		return fmt.Errorf("a record names content that is missing (see paperfs admin check): %v", err)
	}
	return err
}
