package main

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/fs/programtest"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// lateWriter writes a file of media/, which its first close publishes. It writes on by the descriptor and the mapping that
// it has kept once it reads a line, and ends after another.
const lateWriter = `
import mmap, os
f = os.open("media/f", os.O_RDWR | os.O_CREAT)
os.write(f, b"early" * 60000)
m = mmap.mmap(f, 300000)
m[0:5] = b"EARLY"; m.flush()
os.close(os.dup(f)); print("closed", flush=True); input()
m[5:9] = b"LATE"; m.flush(); os.pwrite(f, b"LATE", 200000); os.ftruncate(f, 250000); print("written", flush=True); input()
`

// handing is a mount with nothing configured, and a program that has published media/f and goes on.
type handing struct {
	*environment
	mounted *process
	says    *bufio.Scanner
	goOn    io.WriteCloser
	end     func()
}

func startHanding(t *testing.T) *handing {
	testrun.Program(t, "python3")
	e := newEnvironment(t)
	h := &handing{environment: e, mounted: e.mount()}
	cmd := programtest.Command(t, testrun.Patience(), "python3", "-c", lateWriter)
	cmd.Dir, cmd.Env = e.path("ipaper"), e.vars
	out := testrun.Must(cmd.StdoutPipe())(t)
	h.goOn = testrun.Must(cmd.StdinPipe())(t)
	require.NoError(t, cmd.Start())
	h.says, h.end = bufio.NewScanner(out), func() { h.goOn.Close(); _ = cmd.Wait() }
	t.Cleanup(h.end)
	h.hears("closed")
	return h
}

func (h *handing) hears(line string) {
	h.t.Helper()
	require.True(h.t, h.says.Scan())
	require.Equal(h.t, line, h.says.Text())
}

func (h *handing) writeLate() {
	h.t.Helper()
	testrun.Must(io.WriteString(h.goOn, "\n"))(h.t)
	h.hears("written")
}

// files returns the files at a pattern below the home that have content.
func (e *environment) files(pattern string) (all []os.FileInfo) {
	e.t.Helper()
	paths := testrun.Must(filepath.Glob(e.path(pattern)))(e.t)
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
			all = append(all, info)
		}
	}
	return all
}

const (
	ownContents = ownData + "/content/??/*"
	ownSpools   = ".local/state/paperfs/*/spool/*"
	ownCache    = ".cache/paperfs/*/media/??/*"
)

// TestALargeFileIsStoredOnce checks that the service's content, the spool and a backup are one file, that no late write
// of a program changes it, and that undo brings it back.
func TestALargeFileIsStoredOnce(t *testing.T) {
	t.Parallel()
	h := startHanding(t)
	published := h.files(ownContents)
	require.Len(t, published, 1)
	spools := h.files(ownSpools)
	require.Len(t, spools, 1)
	require.True(t, os.SameFile(published[0], spools[0]))
	h.must("cp media/f ../early")
	early := h.must("cat ../" + ownContents + " | sha256sum")
	h.succeed("admin", "--data", h.path(ownData), "backup", h.path("backup"))

	h.writeLate()
	require.Equal(t, early, h.must("cat ../"+ownContents+" | sha256sum"))
	h.end()
	require.Eventually(t, func() bool { return len(h.files(ownSpools)) == 0 }, testrun.Patience(), 10*time.Millisecond)
	require.Empty(t, h.files(ownCache))
	late := h.must("cat media/f > ../late; head -c 9 media/f; stat -c ' %s' media/f")
	require.Equal(t, "EARLYLATE 250000\n", late)

	for _, data := range []string{"backup", ownData} {
		h.succeed("admin", "--data", h.path(data), "check", "--deep")
	}
	h.must("cp ../late ../other; echo other >> ../other; cp ../other media/f; rm media/f")
	h.succeed("undo", h.path("ipaper", "media"))
	h.must("cmp media/f ../early")
	h.succeed("admin", "--data", h.path(ownData), "check", "--deep")
}

// TestWhatIsHandedOverOutlivesAKill kills the mount while a program still has the file open that it has published, and
// that another one has removed.
func TestWhatIsHandedOverOutlivesAKill(t *testing.T) {
	t.Parallel()
	for name, removed := range map[string]bool{"published": false, "removed": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := startHanding(t)
			h.must("cp media/f ../early")
			if removed {
				h.must("rm media/f")
			} else {
				h.writeLate()
			}
			require.NoError(t, h.mounted.cmd.Process.Kill())
			h.mounted.wait()
			h.end()
			h.mount()
			if removed {
				h.succeed("undo", h.path("ipaper", "media"))
			}
			h.must("cmp media/f ../early")
			h.succeed("admin", "--data", h.path(ownData), "check", "--deep")
		})
	}
}

// TestAPDFIsStoredOnce checks that the service's PDF and the mount's, which the service does not return, are one file.
func TestAPDFIsStoredOnce(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount()
	pdf := append(pdftest.Text("one"), make([]byte, 200_000)...)
	require.NoError(t, os.WriteFile(e.path("p.pdf"), pdf, 0o644))
	e.must("cp ../p.pdf papers/p.pdf")
	sent := e.files(ownContents)
	require.NotEmpty(t, sent)
	require.Eventually(t, func() bool {
		kept := e.files(ownCache)
		return len(kept) == 1 && os.SameFile(kept[0], sent[0])
	}, testrun.Patience(), 10*time.Millisecond)
	e.must("cmp ../p.pdf papers/p.pdf")
}
