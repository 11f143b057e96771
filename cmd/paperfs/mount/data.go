package mount

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"paperfs/cache/media"
	"paperfs/cache/state"
	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/filestore"
)

// The embedded service's data has an id, which a restored backup has, too. The account's directory has it in its name: if the data is
// removed or replaced, the ids in an earlier directory stand for other things, so the mount begins a new one.

// dataDirs sets the directories of the embedded service's account. It starts the service if its data has no id yet.
func (a *account) dataDirs() error {
	id, err := filestore.ID(filepath.Join(a.data, datadir.ContentDir))
	if err == nil && id == "" {
		if err = a.startService(); err == nil {
			id, err = filestore.ID(filepath.Join(a.data, datadir.ContentDir))
		}
	}
	if err != nil {
		return err
	}
	a.dirs, a.otherData = a.dirs.Of(id), a.dirs.Others(id)
	_, err = os.Lstat(a.dirs.State)
	a.newData = errors.Is(err, os.ErrNotExist)
	return nil
}

// moveUnsent moves what was not sent to other data to failed/. The rest of those directories stays as it is.
func (a *account) moveUnsent() {
	for _, dirs := range a.otherData {
		moved, err := a.moveUnsentOf(dirs)
		if moved == 0 && !a.newData && err == nil {
			continue
		}
		told := fmt.Errorf("%s has other data than an earlier mount, which began with other directories. What was not sent to the other data is in .paperfs/failed now (files: %d); all else stays in %s. To have the other data, restore a backup of it", a.data, moved, dirs.State)
		if a.movedAside(dirs) {
			told = fmt.Errorf("%s was the state directory of this mount until somebody moved it. What was not sent from there is in .paperfs/failed now (files: %d); all else stays there", dirs.State, moved)
		}
		if err != nil {
			told = fmt.Errorf("%w. Not all could be moved: %w", told, err)
		}
		fmt.Fprintln(os.Stderr, "paperfs:", cli.PrintableLines(told.Error()))
		a.teller.Tell("mount", ".paperfs/failed", 0, told)
	}
}

// movedAside reports whether a directory has the name of the account's own with an end, which no mount gives it.
func (a *account) movedAside(dirs state.Dirs) bool {
	return strings.HasPrefix(dirs.State, a.dirs.State)
}

func (a *account) moveUnsentOf(dirs state.Dirs) (moved int, err error) {
	spools, _ := os.ReadDir(filepath.Join(dirs.State, "spool"))
	failed, _ := os.ReadDir(filepath.Join(dirs.State, "failed"))
	if len(spools)+len(failed) == 0 {
		return 0, nil
	}
	st, err := state.Open(dirs, a.dir)
	if err != nil {
		return 0, err
	}
	other, err := media.Open(media.Options{Service: a.client, State: st, Paused: true, Names: a.settings.Names, Log: a.settings.Log})
	if err != nil {
		return 0, errors.Join(err, st.Close())
	}
	why := fmt.Errorf("it was queued, but the service's data in %s was removed or replaced before it was sent", a.data)
	if a.movedAside(dirs) {
		why = fmt.Errorf("it was queued in the state directory of the mount, but somebody moved that to %s before it was sent", dirs.State)
	}
	moved, err = other.MoveUnsent(a.media, why)
	return moved, errors.Join(err, other.Close(), st.Close())
}
