package caller_test

import (
	"context"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/fs/caller"
	"paperfs/fs/mountpoint"
	"paperfs/fs/programtest"
	"paperfs/remote/testrun"
)

// watched is a file system with one file, f, that records why it is flushed.
type watched struct {
	gofs.Inode

	mu     sync.Mutex
	closes []caller.Closing // guarded by mu
}

type watchedFile struct {
	gofs.Inode
	root *watched
}

var (
	_ gofs.NodeOnAdder   = (*watched)(nil)
	_ gofs.NodeOpener    = (*watchedFile)(nil)
	_ gofs.NodeSetattrer = (*watchedFile)(nil)
	_ gofs.NodeWriter    = (*watchedFile)(nil)
	_ gofs.NodeFlusher   = (*watchedFile)(nil)
)

func (w *watched) OnAdd(ctx context.Context) {
	w.AddChild("f", w.NewPersistentInode(ctx, &watchedFile{root: w}, gofs.StableAttr{Mode: syscall.S_IFREG}), false)
}

func (f *watchedFile) Open(context.Context, uint32) (gofs.FileHandle, uint32, syscall.Errno) {
	return nil, fuse.FOPEN_DIRECT_IO, 0
}

func (f *watchedFile) Setattr(context.Context, gofs.FileHandle, *fuse.SetAttrIn, *fuse.AttrOut) syscall.Errno {
	return 0
}

func (f *watchedFile) Write(_ context.Context, _ gofs.FileHandle, data []byte, _ int64) (uint32, syscall.Errno) {
	return uint32(len(data)), 0
}

func (f *watchedFile) Flush(ctx context.Context, _ gofs.FileHandle) syscall.Errno {
	c, _ := fuse.FromContext(ctx)
	closing := caller.CloseOf(c.Pid)
	f.root.mu.Lock()
	f.root.closes = append(f.root.closes, closing)
	f.root.mu.Unlock()
	return 0
}

func newWatched(t *testing.T) (*watched, string) {
	dir, w := t.TempDir(), &watched{}
	server := testrun.Must(gofs.Mount(dir, w, &gofs.Options{MountOptions: fuse.MountOptions{Name: "paperfs-test", DirectMountStrict: programtest.Mounting(t)}}))(t)
	t.Cleanup(func() {
		if server.Unmount() != nil {
			_ = mountpoint.Detach(dir)
		}
	})
	return w, filepath.Join(dir, "f")
}

// run runs a script with the file as $1, and returns why the script's programs flushed the file.
func (w *watched) run(t *testing.T, file, script string) []caller.Closing {
	t.Helper()
	w.mu.Lock()
	w.closes = nil
	w.mu.Unlock()
	began, limit := time.Now(), testrun.Patience()
	_ = programtest.Command(t, limit, "bash", "-c", script, "bash", file).Run() // fails if its program is killed
	require.Less(t, time.Since(began), limit, script)
	w.mu.Lock()
	defer w.mu.Unlock()
	require.NotEmpty(t, w.closes, script)
	return w.closes
}

func TestKilledWritersAreToldFromOthers(t *testing.T) {
	testrun.Program(t, "python3")
	w, file := newWatched(t)
	for script, want := range map[string]bool{
		`python3 -c 'import os, sys, signal; f = open(sys.argv[1], "r+b", 0); f.write(b"x"); os.kill(os.getpid(), signal.SIGKILL)' $1`: true,
		`python3 -c 'import os, sys, signal; f = open(sys.argv[1], "r+b", 0); f.write(b"x"); os.kill(os.getpid(), signal.SIGTERM)' $1`: true,
		`python3 -c 'import os, sys; f = open(sys.argv[1], "r+b", 0); f.write(b"x"); os.abort()' $1`:                                   true,
		// A program that only root may trace hides its exit code.
		`python3 -c 'import ctypes, os, sys, signal; ctypes.CDLL(None).prctl(4, 0); f = open(sys.argv[1], "r+b", 0); f.write(b"x"); os.kill(os.getpid(), signal.SIGTERM)' $1`: true,
		`python3 -c 'import ctypes, os, sys, signal; ctypes.CDLL(None).prctl(4, 0); f = open(sys.argv[1], "r+b", 0); f.write(b"x"); os.kill(os.getpid(), signal.SIGKILL)' $1`: true,
		`python3 -c 'import ctypes, os, sys; ctypes.CDLL(None).prctl(4, 0); f = open(sys.argv[1], "r+b", 0); f.write(b"x"); os._exit(0)' $1`:                                  false,
		// The fifo is opened after the file, so the program has both when it is killed.
		`p=$(mktemp -u); mkfifo $p; cat $p > $1 & exec 3> $p; kill -TERM $!; wait; rm $p`:          true,
		`p=$(mktemp -u); mkfifo $p; cat $p > $1 & exec 3> $p; kill -KILL $!; wait; rm $p`:          true,
		`p=$(mktemp -u); mkfifo $p; cat $p > $1 & exec 3> $p; echo hi >&3; exec 3>&-; wait; rm $p`: false,
		`echo hi > $1`:       false,
		`cat /dev/null > $1`: false,
		`dd if=/dev/zero of=$1 bs=4k count=9 conv=notrunc`:                                              false,
		`python3 -c 'import os, sys; f = open(sys.argv[1], "r+b", 0); f.write(b"x"); os._exit(1)' $1`:   false,
		`python3 -c 'import os, sys; f = open(sys.argv[1], "r+b", 0); f.write(b"x"); os._exit(137)' $1`: false,
		`python3 -c 'import os, sys, threading, time
f = open(sys.argv[1], "r+b", 0); f.write(b"x")
for _ in range(4): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
os._exit(0)' $1`: false,
	} {
		closes := w.run(t, file, script)
		last := closes[len(closes)-1]
		assert.Equal(t, want, last.Killed, "%s: %+v", script, closes)
		assert.NotZero(t, last.Process, script)
		assert.NotEmpty(t, last.Program, script)
	}
}

func TestAnExecIsSeenAndNotWaitedFor(t *testing.T) {
	testrun.Program(t, "python3")
	w, file := newWatched(t)
	closes := w.run(t, file, `python3 -c 'import os, sys; f = os.open(sys.argv[1], os.O_RDWR | os.O_CLOEXEC); os.write(f, b"x"); os.execlp("true", "true")' $1`)
	assert.True(t, closes[0].Exec, "%+v", closes)
	assert.False(t, closes[0].Killed)
	closes = w.run(t, file, `python3 -c 'import os, sys; f = os.open(sys.argv[1], os.O_RDWR); os.write(f, b"x"); os.close(f)' $1`)
	assert.False(t, closes[0].Exec, "%+v", closes)
}
