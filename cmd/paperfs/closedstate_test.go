package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/programtest"
	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"

	"github.com/stretchr/testify/require"
)

// asUser runs a script in the mount of the environment's user.
func (e *environment) asUser(script string) (code int, said string) {
	e.t.Helper()
	p := e.launch(programtest.Command(e.t, 0, "sh", "-c", `cd "$1" && `+script, "sh", e.path("ipaper")))
	return p.wait(), p.stdout.String() + p.stderr.String()
}

// TestAStateDirectoryThatIsClosedUnderAMount takes the rights to the state directory away while files are queued. What can still
// be read is sent, a removal is either whole or refused, and the next mount has nothing that was removed.
func TestAStateDirectoryThatIsClosedUnderAMount(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can run commands as another user")
	}
	for mode, c := range map[string]struct {
		change, rm string
		removed    bool
		wait       int
	}{
		"nothing can be written": {"chmod -R a-w", "", true, cli.ExitOK},
		"nothing can be found":   {"chmod 0", "Permission denied", false, cli.ExitUnpublished},
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			e, f := newEnvironment(t), servicetest.Start(t)
			proxy := servicetest.NewProxy(t, f.URL)
			e.ordinaryUser()
			require.NoError(t, os.Chown(e.home, int(e.user.Uid), int(e.user.Gid)))
			for name, value := range map[string]string{"PAPERFS_URL": proxy.URL, "PAPERFS_USERNAME": f.Username, "PAPERFS_PASSWORD": f.Password} {
				e.set(name, value)
			}
			p := e.mount("--write-back", "--allow-delete", "--rpm=0")
			proxy.Fail(remote.UploadFile, -1, 503)
			code, said := e.asUser(`echo queued > media/a; echo other > media/b`)
			require.Zero(t, code, said)
			state := filepath.Dir(e.stateDatabase())
			_, said = e.asUser(c.change + " " + state)
			require.Empty(t, said)
			_, said = e.asUser("rm media/a")
			require.Contains(t, said, c.rm)
			code, _ = e.asUser("test -e media/a")
			require.Equal(t, c.removed, code != 0, said)
			proxy.Heal()
			code, _, said = e.run("wait", e.path("ipaper"))
			require.Equal(t, c.wait, code, said)
			if c.wait != cli.ExitOK {
				require.Contains(t, said, state)
				require.NoError(t, os.Chmod(state, 0o700))
				code, said = e.asUser("rm media/a && mkdir media/d && rmdir media/d")
				require.Zero(t, code, said)
				e.succeed("wait", e.path("ipaper")) // for the spools of what is sent, too
				proxy.Fail(remote.UploadFile, -1, 503)
				code, said = e.asUser("echo third > media/c")
				require.Zero(t, code, said)
				require.NoError(t, os.Chmod(state, 0))
			}
			began := time.Now()
			e.succeed("umount", e.path("ipaper"))
			require.Less(t, time.Since(began), drained)
			p.wait()
			require.NoError(t, os.Chmod(state, 0o700))
			require.NoError(t, filepath.WalkDir(state, func(path string, d os.DirEntry, err error) error {
				if err == nil && d.IsDir() {
					err = os.Chmod(path, 0o700)
				} else if err == nil {
					err = os.Chmod(path, 0o600)
				}
				return err
			}))
			proxy.Heal()
			e.mount("--write-back", "--rpm=0")
			e.succeed("wait", e.path("ipaper"))
			_, said = e.asUser("ls .paperfs/failed media")
			require.Equal(t, ".paperfs/failed:\n\nmedia:\nb\n"+map[bool]string{false: "c\n"}[c.removed], said)
		})
	}
}
