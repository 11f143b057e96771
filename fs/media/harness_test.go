package media_test

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
	"github.com/stretchr/testify/require"

	"paperfs/cache/failure"
	"paperfs/cache/media"
	"paperfs/cache/state"
	"paperfs/cache/state/statetest"
	"paperfs/fs/errno"
	"paperfs/fs/flush"
	"paperfs/fs/inode"
	mediafs "paperfs/fs/media"
	"paperfs/fs/mountpoint"
	"paperfs/fs/programtest"
	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// mount is media/ mounted by this process, with a proxy between it and a real service. Only other
// programs use the mount: a goroutine of this process that waits for its own handlers could block them.
type mount struct {
	t        *testing.T
	dir      string // where media/ is mounted
	home     string // another directory
	proxy    *servicetest.Proxy
	client   *remote.Client
	failures *failure.Log
	store    *media.Store
	options  []func(*media.Options)
	under    func(fuse.RawFileSystem) fuse.RawFileSystem // wraps the file system if it is not nil
	gaps     bool                                        // notifications wait for gaps, as in the program

	state  *state.State
	server *fuse.Server
}

func newMount(t *testing.T, options ...func(*media.Options)) *mount {
	t.Helper()
	return newMountOn(t, servicetest.Start(t), options...)
}

func newMountOn(t *testing.T, fixture *servicetest.Fixture, options ...func(*media.Options)) *mount {
	t.Helper()
	m := &mount{t: t, home: t.TempDir(), proxy: servicetest.NewProxy(t, fixture.URL), options: options, failures: failure.New(nil, nil)}
	m.dir = filepath.Join(m.home, "media")
	require.NoError(t, os.Mkdir(m.dir, 0o755))
	client, err := remote.New(remote.Options{BaseURL: m.proxy.URL, Username: fixture.Username, Password: fixture.Password})
	require.NoError(t, err)
	m.client = client
	t.Cleanup(client.Close)
	t.Cleanup(m.stop)
	m.start()
	return m
}

func (m *mount) start() {
	m.t.Helper()
	var err error
	dirs := state.Dirs{State: filepath.Join(m.home, "state"), Cache: filepath.Join(m.home, "cache")}
	statetest.Prepare(m.t, dirs)
	m.state, err = state.Open(dirs, m.dir)
	require.NoError(m.t, err)
	teller := &errno.Teller{Log: m.failures}
	o := media.Options{Service: m.client, State: m.state, Reserve: -1, Linger: -1, Debounce: -1, StrictTTL: time.Hour, Log: slog.New(slog.DiscardHandler),
		Report: func(op, path string, id int64, err error) { teller.Tell(op, "media/"+path, id, err) }}
	for _, option := range m.options {
		option(&o)
	}
	m.store, err = media.Open(o)
	require.NoError(m.t, err)
	root := mediafs.NewRoot(m.store, teller, inode.Owner{UID: uint32(os.Getuid()), GID: uint32(os.Getgid())}, flush.NewJudge(m.dir))
	options := &gofs.Options{
		RootStableAttr: &gofs.StableAttr{Ino: inode.Media(uint64(media.Root))},
		MountOptions:   fuse.MountOptions{MaxWrite: 1 << 20, DisableSplice: true, Name: "paperfs", FsName: "test", DisableXAttrs: true, Options: []string{"default_permissions"}},
	}
	var raw fuse.RawFileSystem
	if m.gaps {
		raw = inode.NewFS(root, options)
	} else {
		raw = gofs.NewNodeFS(root, options)
	}
	raw = inode.Writes{RawFileSystem: raw}
	if m.under != nil {
		raw = m.under(raw)
	}
	options.DirectMountStrict = programtest.Mounting(m.t)
	m.server, err = mountpoint.NewServer(raw, m.dir, &options.MountOptions)
	require.NoError(m.t, err)
	require.NoError(m.t, mountpoint.Serve(m.server))
	root.Watch()
}

// unmount unmounts, even if a program that looks around on this machine is in the mount.
func (m *mount) unmount() {
	if err := m.server.Unmount(); err != nil {
		_ = mountpoint.Detach(m.dir)
	}
	m.server.Wait()
	m.server = nil
}

// stop unmounts and closes the state.
func (m *mount) stop() {
	if m.server != nil {
		m.unmount()
	}
	if m.store != nil {
		require.NoError(m.t, m.store.Close())
		require.NoError(m.t, m.state.Close())
		m.store = nil
	}
}

func (m *mount) remount() {
	m.t.Helper()
	m.stop()
	m.start()
}

// in returns the mount for a subtest.
func (m *mount) in(t *testing.T) *mount {
	sub := *m
	sub.t = t
	return &sub
}

// command returns a command that runs a bash script in HOME, the directory that contains media/.
func (m *mount) command(script string) *exec.Cmd { return m.commandWithin(testrun.Patience(), script) }

// commandWithin is command with another time limit.
func (m *mount) commandWithin(limit time.Duration, script string) *exec.Cmd {
	m.t.Helper()
	for _, name := range []string{"perl", "python3"} {
		if strings.Contains(script, name+" ") {
			testrun.Program(m.t, name)
		}
	}
	c := programtest.Command(m.t, limit, "bash", "-c", script)
	c.Dir = m.home // a chdir into the mount between fork and exec would block this process
	c.Env = programtest.Bare("HOME="+m.home, "LC_ALL=C.UTF-8")
	return c
}

// sh runs a script in media/ that must succeed, and returns its output.
func (m *mount) sh(script string) string {
	m.t.Helper()
	out, err := m.command("cd media && {\n" + script + "\n}").CombinedOutput()
	programtest.RequirePrograms(m.t, err, string(out))
	require.NoError(m.t, err, "%s\n%s", script, out)
	return strings.TrimSuffix(string(out), "\n")
}

// fails runs a script in media/ that must fail, and returns its output.
func (m *mount) fails(script string) string {
	m.t.Helper()
	out, err := m.command("cd media && {\n" + script + "\n}").CombinedOutput()
	programtest.RequirePrograms(m.t, err, string(out))
	require.Error(m.t, err, "%s\n%s", script, out)
	return string(out)
}

// cost runs a script and returns the operations that it made the mount call.
func (m *mount) cost(script string) []string {
	m.t.Helper()
	m.proxy.Reset()
	m.sh(script)
	m.idle()
	var asked []string
	for _, r := range m.proxy.Requests() {
		if r.Op != nil {
			asked = append(asked, r.Op.Name)
		}
	}
	return asked
}

// idle waits until no program writes and nothing is being sent to the service.
func (m *mount) idle() {
	m.t.Helper()
	m.eventually(func() bool { return m.store.Idle() && m.store.Status().Writing == 0 })
}

// settled waits until the kernel has sent the RELEASE of all files, which follows the return of close.
func (m *mount) settled() {
	m.t.Helper()
	m.eventually(func() bool { return m.store.Status().Writing == 0 })
}

// eventually waits until a condition holds. Many a condition starts programs: the pauses grow.
func (m *mount) eventually(ok func() bool) {
	m.t.Helper()
	limit := time.Now().Add(testrun.Patience())
	for pause := time.Millisecond; !ok(); pause = min(2*pause, 64*time.Millisecond) {
		require.True(m.t, time.Now().Before(limit), "waited in vain: %v", m)
		time.Sleep(pause)
	}
}

// String says what the mount still has to do, for a test that fails.
func (m *mount) String() string {
	if m.store == nil {
		return "there is no mount"
	}
	return fmt.Sprintf("writing: %d, queued: %v, failed: %v, errors: %v", m.store.Status().Writing, m.store.Queue(), m.store.Failed(), m.failures.Events())
}

// atService returns the SHA-256 of each file on the service, by path.
func (m *mount) atService() map[string]string {
	m.t.Helper()
	m.idle()
	tree, err := m.client.GetTree(m.t.Context())
	require.NoError(m.t, err)
	dirs := map[int64]string{0: ""}
	for _, d := range tree.Dirs {
		dirs[d.ID] = dirs[d.Parent] + d.Name + "/"
	}
	files := map[string]string{}
	for _, f := range tree.Files {
		files[dirs[f.Parent]+f.Name] = f.SHA256
	}
	return files
}

// content returns the content of an entry of failed/.
func (m *mount) content(entry string) string {
	m.t.Helper()
	f, err := m.store.OpenFailed(entry)
	require.NoError(m.t, err)
	defer f.Close()
	data, err := io.ReadAll(f)
	require.NoError(m.t, err)
	return string(data)
}

// refuse makes the service refuse uploads until Heal.
func (m *mount) refuse() { m.proxy.Fail(remote.UploadFile, -1, 400) }

func ops(names ...string) []string { return slices.Clip(names) }
