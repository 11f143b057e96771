package media

import (
	"os"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/journal"
	"paperfs/cache/state"
)

// watchedState reports the number of spools before each write of rows.
type watchedState struct {
	journal.State
	dir    string // of the spools
	spools atomic.Int32
	seen   atomic.Bool
}

func (w *watchedState) Unsynced(changes ...state.Statement) error {
	entries, err := os.ReadDir(w.dir)
	if err == nil && w.seen.CompareAndSwap(false, true) {
		w.spools.Store(int32(len(entries)))
	}
	return w.State.Unsynced(changes...)
}

// TestARenameIsKeptBeforeContentGoes renames scratch files to a visible name and over each
// other. After a kill before the rows are written, the old rows count, so their spools must
// exist until then.
func TestARenameIsKeptBeforeContentGoes(t *testing.T) {
	t.Parallel()
	for to, spools := range map[string]int32{"b": 1, ".b": 2, ".new": 1} {
		t.Run(to, func(t *testing.T) {
			f := newFixture(t)
			require.NoError(t, f.store.Close())
			w := &watchedState{State: f.state, dir: f.state.Dir("spool")}
			f.options.State = w
			var err error
			f.store, err = Open(f.options)
			require.NoError(t, err)
			for _, name := range []string{".a", ".b"} {
				if name == ".b" && to != ".b" {
					continue
				}
				_, err := f.create(Root, name, "content of "+name)
				require.NoError(t, err)
			}
			f.store.Mu.Lock()
			upto := f.store.SaveLocked(f.store.Root)
			f.store.Mu.Unlock()
			require.NoError(t, f.store.Journal.WaitSynced(upto))
			w.seen.Store(false)
			require.NoError(t, f.rename(Root, ".a", Root, to))
			f.eventually(w.seen.Load)
			require.Equal(t, spools, w.spools.Load())
		})
	}
}
