package store

import (
	"errors"
	"fmt"
	"sync/atomic"
)

// Damage remembers that an engine has met damaged records. An engine embeds it to implement
// Store.Damaged. The zero value has met none.
type Damage struct{ first atomic.Pointer[error] }

// Meet notes an error that shows damage, and returns it as ErrDamaged.
func (d *Damage) Meet(err error) error {
	return d.Note(fmt.Errorf("%w: %w", ErrDamaged, err))
}

// Note is Meet of an error that is ErrDamaged already. It returns every error as it is.
func (d *Damage) Note(err error) error {
	if errors.Is(err, ErrDamaged) {
		d.first.CompareAndSwap(nil, &err)
	}
	return err
}

// Damaged implements Store.
func (d *Damage) Damaged() error {
	if err := d.first.Load(); err != nil {
		return *err
	}
	return nil
}
