package mount

import (
	"errors"
	"fmt"

	"paperfs/cache/state"

	"github.com/dustin/go-humanize/english"
)

// closeState closes the account's state. If that was lost under the mount, it then opens it as the next mount does, for what this
// one still holds.
func (a *account) closeState() error {
	lost := a.state.Whole()
	err := a.state.Close()
	if lost == nil || a.media == nil {
		return err
	}
	return errors.Join(lost, err, a.rescue(lost))
}

func (a *account) rescue(lost error) error {
	st, err := state.Open(a.dirs, a.dir)
	if err != nil {
		return fmt.Errorf("content that the service does not have, and that programs had open here, cannot be stored: %w", err)
	}
	why := "the state of the mount was lost before the service had it"
	if e, ok := errors.AsType[*state.LostError](lost); ok {
		why += ": " + e.Why
	}
	kept, gone, err := a.media.Rescue(st, errors.New(why))
	if kept+gone > 0 {
		err = errors.Join(fmt.Errorf("the next mount has in .paperfs/failed %s that the service lacks; nothing is left of %s",
			english.Plural(kept, "file", ""), english.Plural(gone, "file", "")), err)
	}
	return errors.Join(err, st.Close())
}
