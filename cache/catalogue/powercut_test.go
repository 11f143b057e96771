package catalogue

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/disktest"
)

// savedDir is set for the child process that runs TestSaveChild and whose disk is examined.
const savedDir = "CATALOGUE_TEST_SAVED_DIR"

const savedTrees = 3

func savedTree(i int) *Snapshot {
	return bigTree(8*i).snapshot(nil, epoch.Add(time.Duration(i)*time.Hour))
}

// TestTheSavedTreeIsSynced cuts the power at every moment while trees are saved one after
// the other: the file holds the tree saved last, or the one being saved.
func TestTheSavedTreeIsSynced(t *testing.T) {
	dir := t.TempDir()
	program := exec.Command(os.Args[0], "-test.run=^TestSaveChild$")
	program.Env = append(os.Environ(), savedDir+"="+dir)
	recording := disktest.Record(t, dir, program)
	for name, kept := range map[string]disktest.Kept{"nothing": disktest.Nothing, "names": disktest.Names, "contents": disktest.Contents} {
		recording.Moments(func(m disktest.Moment) {
			left := t.TempDir()
			require.NoError(t, m.Restore(left, kept))
			s, err := load(filepath.Join(left, "tree"), origin{})
			saved := len(m.Said)
			if saved == 0 && os.IsNotExist(err) {
				return
			}
			require.NoError(t, err, "power cut before %q after %d trees, with %s unsynced on the disk", m.Next, saved, name)
			require.Contains(t, []int{savedTree(max(1, saved)).Len(), savedTree(saved + 1).Len()}, s.Len(), name)
		})
	}
}

// TestSaveChild saves.
func TestSaveChild(t *testing.T) {
	dir := os.Getenv(savedDir)
	if dir == "" {
		t.Skip("TestTheSavedTreeIsSynced runs this in a child process")
	}
	for i := range savedTrees {
		require.NoError(t, save(filepath.Join(dir, "tree"), origin{}, savedTree(i+1)))
		disktest.Say("saved %d", i+1)
	}
}
