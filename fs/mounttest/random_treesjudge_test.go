package mounttest

import (
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestRandomTreesSeesWhatIsLost checks the oracle of TestRandomTrees: a content that is nowhere is lost unless a gesture
// with its name, or one that had seen it, ended it; and who replaces a colleague's content must have opened the file after it came.
func TestRandomTreesSeesWhatIsLost(t *testing.T) {
	t.Parallel()
	own := change{Who: "worker 0", What: "put", Paths: []string{"d/a"}, Began: 1, Opened: 1, Ended: 3, Block: "own", Done: true}
	other := change{Who: "worker 1", What: "remove", Paths: []string{"d/b"}, Began: 2, Ended: 2}
	theirs := change{Who: "colleague", What: "puts", Paths: []string{"d/a"}, Began: 2, Ended: 2, Block: "theirs", Done: true}
	g := &trees{changes: []change{own, other, theirs}}
	require.False(t, g.ended(0, nil), "another name, and a colleague")
	g.changes[1].Paths = []string{"e/A"}
	require.True(t, g.ended(0, nil), "its name, meanwhile")
	g.changes[1].Began, g.changes[1].Ended = 4, 5
	require.False(t, g.ended(0, nil), "later, by one that had not seen it")
	g.changes[1].Ends = []string{"own"}
	require.True(t, g.ended(0, nil), "later, by one that had seen it")

	g.changes[1] = change{Who: "worker 1", What: "put", Paths: []string{"e/b"}, Began: 2, Ended: 4}
	require.False(t, g.ended(0, nil), "another name")
	g.changes = append(g.changes, change{Who: "worker 2", What: "move", Paths: []string{"e/b", "d/a"}, Began: 2, Ended: 2, Moves: []string{"other"}})
	require.True(t, g.ended(0, nil), "another name, and meanwhile its own")
	g.changes = append(g.changes[:3], change{Who: "worker 2", What: "move", Paths: []string{"d/a", "d/b"}, Began: 4, Ended: 4, Moves: []string{"own"}})
	require.True(t, g.ended(0, nil), "the name that it was just given")
	g.changes = []change{own, {Who: "worker 1", What: "append", Paths: []string{"d/a"}, Began: 2, Ended: 2}}
	require.False(t, g.ended(0, nil), "it was appended to")
	g.changes[0].What = "append"
	require.True(t, g.ended(0, nil), "something came between its halves")
	g.changes = []change{own, other, theirs}

	g.changes = []change{own, {Who: "worker 1", What: "move", Paths: []string{"d/a", "d/c"}, Began: 4, Ended: 4, Moves: []string{"own"}},
		{Who: "worker 1", What: "put", Paths: []string{"d/c"}, Began: 5, Ended: 5, Block: "newer"}}
	require.False(t, g.ended(0, nil), "newer content of the name that it got")
	require.True(t, g.ended(0, map[string]where{"newer": "failed/c"}), "which is in failed/ in its place")

	g.changes = []change{{What: "restore", Paths: []string{"d/a"}, Began: 1, Moves: []string{"older"}}, {What: "remove", Paths: []string{"d/a"}, Ended: 3, Ends: []string{"kept"}}}
	require.True(t, g.removed("older"), "restored")
	require.False(t, g.removed("kept"))
	g.changes = []change{own, other, theirs}

	versions := []version{{content{blocks: []string{"theirs"}}, 3}, {content{blocks: []string{"own"}}, math.Inf(1)}}
	require.Len(t, g.unseen(1, versions), 1)
	g.changes[1] = change{Who: "colleague", What: "removes", Paths: []string{"d/a"}, Began: 3, Ended: 3}
	require.Empty(t, g.unseen(1, versions), "the colleague removed it")
	g.changes[1] = other
	versions[1].blocks = []string{"theirs", "own"}
	require.Empty(t, g.unseen(1, versions), "it was appended to")
	versions[1].blocks = []string{"own"}
	g.changes[0].Opened = 2.5
	require.Empty(t, g.unseen(1, versions), "the file was opened after it came")

	require.Equal(t, []string{"own"}, contentOf([]byte("<own>\nxxx\n</own>\n<half>\nxx")).blocks)
	require.Equal(t, []string{"one", "two"}, contentOf([]byte("<one>\n\n</one>\n<two>\nx\n</two>\n")).blocks)
}

// TestARoundOfRandomGesturesLeavesNothingInFailed checks that what a killed mount left in failed/, which
// has no line in errors, is gone before the next round, also if its name begins with a dot.
func TestARoundOfRandomGesturesLeavesNothingInFailed(t *testing.T) {
	t.Parallel()
	g := newGestures(t, 1, nil)
	g.sh(`head -c 20000 /dev/zero > media/.1c.tmp; head -c 20000 /dev/zero > media/1c.tmp
		sync media/.1c.tmp media/1c.tmp`) // too much for copies in the database; their rows are written
	g.crash()
	require.NoError(t, filepath.WalkDir(filepath.Join(g.home, "state"), func(path string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Base(filepath.Dir(path)) == "spool" {
			err = os.Truncate(path, 1)
		}
		return err
	}))
	g.start(g.flags...)
	require.Equal(t, ".1c.tmp\n1c.tmp", g.sh(`ls -A .paperfs/failed`))
	g.told(0, time.Now(), true)
	g.clear()
	g.told(1, time.Now(), false)
}
