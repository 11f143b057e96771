package media_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hanwen/go-fuse/v2/fuse"
	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// slowReplies delays the replies to READs, most of all the READ at the start of the file. This makes
// replies in the wrong order likely. Correct behaviour does not depend on the delays.
type slowReplies struct{ fuse.RawFileSystem }

func (s slowReplies) Read(cancel <-chan struct{}, in *fuse.ReadIn, buf []byte) (fuse.ReadResult, fuse.Status) {
	found, status := s.RawFileSystem.Read(cancel, in, buf)
	if in.Offset == 0 {
		time.Sleep(200 * time.Millisecond)
	}
	time.Sleep(100 * time.Millisecond)
	return found, status
}

// reading is a program that reads a file from an offset to its end, without asking for its size.
type reading struct {
	*exec.Cmd
	out bytes.Buffer
}

// read starts a program that opens f, and returns when f is open. The program reads once goOn is
// called.
func (m *mount) read(from int) (r *reading, goOn func()) {
	m.t.Helper()
	r = &reading{Cmd: m.command(fmt.Sprintf(`exec perl -e 'open F, "<", "media/f" or die; sysseek F, %d, 0; $| = 1;
		print STDERR "open"; <STDIN>; while ($n = sysread F, $b, 65536) { print $b } die $! unless defined $n'`, from))}
	r.Stdout = &r.out
	in, err := r.StdinPipe()
	require.NoError(m.t, err)
	said, err := r.StderrPipe()
	require.NoError(m.t, err)
	require.NoError(m.t, r.Start())
	_, err = io.ReadFull(said, make([]byte, 4))
	require.NoError(m.t, err)
	return r, func() { _ = in.Close() }
}

// blockDownloads blocks downloads until release is called. held is closed when the first one waits.
func (m *mount) blockDownloads() (held <-chan struct{}, release func()) {
	waits, released := make(chan struct{}), make(chan struct{})
	tell := sync.OnceFunc(func() { close(waits) })
	m.proxy.Answer(nil, func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodGet {
			tell()
			select {
			case <-released:
			case <-r.Context().Done():
			}
		}
		return false
	})
	return waits, sync.OnceFunc(func() { close(released) })
}

// TestNoNULsInWhatBecomesShorter checks that, when a colleague shortens a file while programs read
// it from a slow service, no program reads a NUL past the new end, and none fails.
func TestNoNULsInWhatBecomesShorter(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		early, late []int // offsets of the reads before and after the change
		rest        int   // the new size
	}{
		"a reply that the notification could overtake": {[]int{0}, nil, 5_000},
		"later parts answered first":                   {[]int{0, 500_000, 900_000}, nil, 5_000},
		"reads that begin with the notification":       {[]int{0}, []int{262_144, 300_000}, 300_100},
		"all of these":                                 {[]int{0, 262_144, 700_000}, []int{131_072, 262_144, 393_216, 800_000}, 400_000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMount(t)
			m.stop()
			m.gaps = true
			m.under = func(raw fuse.RawFileSystem) fuse.RawFileSystem { return slowReplies{raw} }
			m.start()
			upload := func(content string) {
				_, err := m.client.UploadFile(t.Context(), 0, "f", bytesContent(content))
				require.NoError(t, err)
				require.NoError(t, m.store.Refresh(t.Context()))
			}
			upload(strings.Repeat("long", 250_000))
			m.eventually(func() bool { return m.sh(`stat -c %s f`) == "1000000" })
			held, release := m.blockDownloads()
			defer release()
			var readers []*reading
			var goOn []func()
			for _, at := range append(append([]int{}, c.early...), c.late...) {
				r, next := m.read(at)
				readers, goOn = append(readers, r), append(goOn, next)
			}
			for i := range c.early {
				goOn[i]()
			}
			select {
			case <-held:
			case <-time.After(testrun.Patience()):
				t.Fatal("no download has begun")
			}
			content := strings.Repeat("x", c.rest)
			upload(content)
			for i := range c.late {
				goOn[len(c.early)+i]()
			}
			release()
			for i, r := range readers {
				require.NoError(t, r.Wait())
				from := append(append([]int{}, c.early...), c.late...)[i]
				want := strings.Repeat("x", max(c.rest-from, 0))
				require.True(t, want == r.out.String(), "from %d: %d bytes and %d NULs, not %d bytes",
					from, r.out.Len(), bytes.Count(r.out.Bytes(), []byte{0}), len(want))
			}
		})
	}
}
