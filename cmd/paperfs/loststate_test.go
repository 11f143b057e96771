package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/programtest"
	"paperfs/remote"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// stateDatabase returns the database of the only account that was mounted.
func (e *environment) stateDatabase() string {
	e.t.Helper()
	found := testrun.Must(filepath.Glob(e.path(".local", "state", "paperfs", "*", "state.db")))(e.t)
	require.Len(e.t, found, 1)
	return found[0]
}

// TestStateThatIsRemovedUnderAMount removes parts of the state while a program writes. Every change fails from then on, in words,
// reads go on, `wait` and `umount` end, and the next mount has what the program wrote.
func TestStateThatIsRemovedUnderAMount(t *testing.T) {
	t.Parallel()
	for _, part := range []string{"", "spool", "state.db"} {
		t.Run(part, func(t *testing.T) {
			t.Parallel()
			e := newEnvironment(t)
			e.compiled(ownData)
			p := e.mount("--write-back")
			e.must("echo published > media/published; mkdir papers/A")
			e.succeed("wait", e.path("ipaper"))
			f := testrun.Must(os.Create(e.path("ipaper", "media", "open")))(t)
			testrun.Must(f.WriteString("written before"))(t)
			require.NoError(t, os.RemoveAll(filepath.Join(filepath.Dir(e.stateDatabase()), part)))
			require.ErrorIs(t, f.Close(), syscall.EIO)
			for _, change := range []string{"echo x > media/x", "echo x > media/.x", "mkdir media/d", "mkdir papers/B", "rmdir papers/A", "rm media/published", "mv media/published media/y"} {
				said, err := e.sh(change + " 2>&1")
				require.Error(t, err, change)
				require.Contains(t, said, "nput/output error", change)
			}
			const words = "unmount and mount again"
			require.Equal(t, "published\n", e.must("cat media/published"))
			require.Contains(t, e.must("ls papers"), "A")
			require.Contains(t, e.must("cat .paperfs/errors"), words)
			require.Contains(t, e.succeed("status", e.path("ipaper")), words)
			e.fail(cli.ExitUnpublished, words, "wait", e.path("ipaper"))
			began := time.Now()
			e.succeed("umount", e.path("ipaper"))
			require.Less(t, time.Since(began), drained, "it sent nothing")
			p.wait()
			e.mount()
			require.Equal(t, "written before", e.must("cat .paperfs/failed/open"))
			e.must("mv .paperfs/failed/open media/open; mkdir papers/B")
		})
	}
}

// drained is for how long a mount sends what is queued after its unmount.
const drained = 30 * time.Second

// TestStateThatIsEmptiedUnderAMount checks that the next mount names a remedy that loses no content, or has it.
func TestStateThatIsEmptiedUnderAMount(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.compiled(ownData)
	p := e.mount()
	e.must("echo local > media/x.part")
	require.NoError(t, os.Truncate(e.stateDatabase(), 0))
	_, err := e.sh("mkdir media/d")
	require.Error(t, err)
	e.succeed("umount", e.path("ipaper"))
	p.wait()
	if code, _, stderr := e.run("mount", "--daemon", e.path("ipaper")); code == 0 {
		e.daemon(e.path("ipaper"))
	} else {
		_, command, _ := strings.Cut(stderr, "Run: ")
		command, _, _ = strings.Cut(command, " (")
		out, err := exec.Command("sh", "-c", command).CombinedOutput()
		require.NoError(t, err, string(out))
		e.mount()
	}
	require.Equal(t, "local\n", e.must("cat media/x.part 2> /dev/null || cat .paperfs/failed/*"))
}

// TestStateThatIsDamaged checks that mount names the command that moves the database aside, and
// mounts after it.
func TestStateThatIsDamaged(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	p := e.mount()
	e.must("echo local > media/x.part")
	e.succeed("umount", e.path("ipaper"))
	p.wait()
	require.NoError(t, os.WriteFile(e.stateDatabase(), []byte(strings.Repeat("rubbish", 1000)), 0o600))
	code, _, stderr := e.run("mount", e.path("ipaper"))
	require.Equal(t, cli.ExitFailure, code)
	_, mend, found := strings.Cut(stderr, " is damaged: ")
	require.True(t, found, stderr)
	_, mend, _ = strings.Cut(mend, "Run: ")
	command, _, _ := strings.Cut(mend, " (")
	out, err := exec.Command("sh", "-c", command).CombinedOutput()
	require.NoError(t, err, string(out))
	e.mount()
	require.Equal(t, "local\n", e.must("cat .paperfs/failed/*"))
}

// TestServiceDatabaseThatIsDamaged checks that mount does not mistake it for the account's
// database, which stays where it is.
func TestServiceDatabaseThatIsDamaged(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	p := e.mount()
	e.succeed("umount", e.path("ipaper"))
	p.wait()
	file := e.path(".local", "share", "paperfs", "service.db")
	content := testrun.Must(os.ReadFile(file))(t)
	const kept = 4096 // keep the first page
	rubbish := strings.Repeat("x", len(content)-kept)
	require.NoError(t, os.WriteFile(file, append(content[:kept], rubbish...), 0o600))
	code, _, stderr := e.run("mount", e.path("ipaper"))
	require.Equal(t, cli.ExitForeignData, code)
	require.Contains(t, stderr, file+" is damaged")
	require.NotContains(t, stderr, filepath.Dir(e.stateDatabase()))
}

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

// TestAClearedCacheLosesNoPDF removes the cache of a mount with nothing configured, while it is mounted and between
// mounts: the service in it still has the PDF of each paper, and of its copies.
func TestAClearedCacheLosesNoPDF(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.compiled(ownData)
	require.NoError(t, os.WriteFile(e.path("one.pdf"), pdftest.Text("one", "two"), 0o600))
	mounted := e.mount()
	e.must("cp ../one.pdf papers/One.pdf")
	e.succeed("wait", e.path("ipaper/papers/One.paper"))
	require.NoError(t, os.RemoveAll(e.path(".cache")))
	e.must("cmp papers/One.paper/source.pdf ../one.pdf")
	e.succeed("umount", e.path("ipaper"))
	mounted.wait()
	require.NotContains(t, mounted.stderr.String(), "cannot be saved")
	require.NoError(t, os.RemoveAll(e.path(".cache")))
	e.mount()
	e.must(`cmp papers/One.paper/source.pdf ../one.pdf; cp -r papers/One.paper ../copied; cmp ../copied/source.pdf ../one.pdf
		cp -r papers/One.paper papers/Two.paper; cmp papers/Two.paper/source.pdf ../one.pdf`)
}
