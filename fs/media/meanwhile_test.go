package media_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestATreeThatIsReadWhileAFileIsRenamed refreshes the tree after the service has moved the file, or deleted the old
// name, and before its answer arrives. It checks that the next writer finds the file's content and
// inode.
func TestATreeThatIsReadWhileAFileIsRenamed(t *testing.T) {
	t.Parallel()
	for to, want := range map[string]map[string]string{
		"b":  {"b": sum("old\nmore\n")},
		".b": {},
	} {
		t.Run(to, func(t *testing.T) {
			t.Parallel()
			m := newMount(t, deleting)
			m.sh(`echo old > a`)
			ino := m.sh(`stat -c %i a`)
			way := map[string]*remote.Operation{"b": remote.MoveFile, ".b": remote.DeleteFile}[to]
			held, release := m.proxy.FreezeAnswer(way)
			mv := m.command(`mv media/a media/` + to)
			require.NoError(t, mv.Start())
			select {
			case <-held:
			case <-time.After(testrun.Patience()):
				require.FailNow(t, "mv sends no "+way.Name)
			}
			require.NoError(t, m.store.Refresh(t.Context()))
			release()
			require.NoError(t, mv.Wait())
			m.sh(`echo more | dd of=` + to + ` status=none oflag=append conv=notrunc`)
			require.Equal(t, want, m.atService())
			require.Equal(t, "old\nmore\n"+ino, m.sh(`cat `+to+` && stat -c %i `+to))
		})
	}
}
