package mounttest

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestARemovalOutlivesAKill kills the mount right after programs have removed names that exist only
// on this machine. The next mounts show none of them, and everything that was not removed.
func TestARemovalOutlivesAKill(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ before, gesture, after string }{
		"a file":                {`echo content > .x`, `rm .x`, `.kept: kept`},
		"names without content": {`: > .empty; ln -s target .link; mkdir .dir`, `rm .empty .link; rmdir .dir`, `.kept: kept`},
		"a tree":                {`mkdir -p .d/1/2/3; echo a > .d/1/a; echo b > .d/1/2/3/b; ln -s a .d/1/link`, `rm -r .d`, `.kept: kept`},
		"one of two links":      {`echo linked > .a; ln .a .b`, `rm .a`, `.b: linked .kept: kept`},
		"both links":            {`echo linked > .a; ln .a .b`, `rm .a .b`, `.kept: kept`},
		"new names":             {`:`, `echo content > .x; ln .x .y; mkdir .d; mv .x .d; rm .y; rm -r .d`, `.kept: kept`},
		"moved names":           {`mkdir .d .e; echo content > .d/x`, `mv .d/x .e/y; rmdir .d; rm -r .e`, `.kept: kept`},
		"an open file":          {`echo content > .x`, `exec 5<> .x; rm .x; echo more >&5`, `.kept: kept`},
		"a replaced file":       {`echo old > .x; echo new > .y`, `mv .y .x`, `.kept: kept .x: new`},
		"a reused name":         {`echo old > .x`, `rm .x; echo new > .x; sync .x`, `.kept: kept .x: new`},
	} {
		t.Run(name, func(t *testing.T) {
			if !slices.Contains([]string{"a tree", "one of two links", "an open file", "a reused name", "moved names"}, name) {
				testrun.Long(t, "kills the mount after another removal")
			}
			m := newMount(t)
			m.sh(`cd media; ` + c.before + `; echo kept > .kept; sync .kept .`)
			m.killAfter(`cd media; ` + c.gesture)
			m.start()
			m.crash() // before the mount has written much
			m.start()
			const look = `cd media; for f in .[a-z]*; do test -f $f && echo "$f: $(cat $f)" || echo $f; done | paste -sd' '; ls ../.paperfs/failed`
			require.Equal(t, c.after, m.sh(look))
			m.sh(`cd media; echo more > .more; sync .more`) // its inode number must not be that of a removed name
			m.crash()
			m.start()
			require.Equal(t, "more", m.sh(`cat media/.more`))
		})
	}
}

// killAfter runs a script in the mount and kills the mount right after it.
func (m *mounted) killAfter(script string) {
	m.t.Helper()
	m.sh(fmt.Sprintf("set -e; %s; kill -KILL %d", script, m.process.Process.Pid))
	<-m.exited
	m.detach()
}

// TestARemovedDirectoryIsNotSent removes a queued directory and kills the mount.
func TestARemovedDirectoryIsNotSent(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--write-back")
	m.proxy.Fail(remote.CreateDirectory, -1, http.StatusUnauthorized)
	m.sh(`mkdir media/gone`)
	m.eventually(`grep -q 401 .paperfs/errors`)
	m.killAfter(`rmdir media/gone`)
	m.proxy.Heal()
	m.start("--write-back")
	m.sh(`"$PAPERFS" wait .; ! test -e media/gone`)
	require.Empty(t, testrun.Must(m.client().GetTree(t.Context()))(t).Dirs)
}
