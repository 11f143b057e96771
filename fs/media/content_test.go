package media_test

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// bytesContent is content to upload without the mount.
type bytesContent string

func (b bytesContent) Size() int64 { return int64(len(b)) }

func (b bytesContent) Open() (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader(string(b))), nil
}

// slowDownloads makes downloads return a byte now and then, until dribble is false: then they break
// off. begun and ended count the downloads.
func (m *mount) slowDownloads() (dribble *atomic.Bool, begun, ended *atomic.Int32) {
	dribble, begun, ended = new(atomic.Bool), new(atomic.Int32), new(atomic.Int32)
	dribble.Store(true)
	m.proxy.Answer(nil, func(w http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.URL.Path, ".asmx/") || !dribble.Load() {
			return false
		}
		begun.Add(1)
		defer ended.Add(1)
		for {
			_, _ = w.Write([]byte{'x'})
			_ = http.NewResponseController(w).Flush()
			select {
			case <-r.Context().Done():
				return true
			case <-time.After(10 * time.Millisecond):
			}
			if !dribble.Load() {
				panic(http.ErrAbortHandler)
			}
		}
	})
	return dribble, begun, ended
}

// TestContentEndsWithItsReaders checks that a download ends with its last reader, and not before.
func TestContentEndsWithItsReaders(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	content := strings.Repeat("c", 1<<20)
	_, err := m.client.UploadFile(t.Context(), 0, "f", bytesContent(content))
	require.NoError(t, err)
	m.sh(`ls`)
	dribble, begun, ended := m.slowDownloads()
	first := m.command("exec cat media/f")
	require.NoError(t, first.Start())
	m.eventually(func() bool { return begun.Load() > 0 })
	require.NoError(t, first.Process.Kill())
	m.eventually(func() bool { return ended.Load() > 0 && ended.Load() == begun.Load() }) // the kernel may have requested several parts
	_ = first.Wait()

	before := begun.Load()
	first = m.command("exec cat media/f")
	require.NoError(t, first.Start())
	m.eventually(func() bool { return begun.Load() > before })
	second := m.command("sha256sum < media/f")
	out := new(strings.Builder)
	second.Stdout = out
	require.NoError(t, second.Start())
	dribble.Store(false)
	require.NoError(t, first.Process.Kill())
	require.NoError(t, second.Wait(), "the download continues for the other reader")
	require.Contains(t, out.String(), sum(content))
	_ = first.Wait()
	m.eventually(func() bool { return ended.Load() == begun.Load() })
}

// TestContentIsNoLongerThanTold checks that the mount stops a download that is longer than
// announced, which could fill the disk.
func TestContentIsNoLongerThanTold(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	_, err := m.client.UploadFile(t.Context(), 0, "f", bytesContent("ten bytes."))
	require.NoError(t, err)
	m.sh(`ls`)
	begun, ended, whole := new(atomic.Int32), new(atomic.Int32), new(atomic.Int32)
	m.proxy.Answer(nil, func(w http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.URL.Path, ".asmx/") {
			return false
		}
		begun.Add(1)
		defer ended.Add(1)
		for range 64 { // more than the buffers on the way hold
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				return true
			}
		}
		whole.Add(1)
		return true
	})
	require.Contains(t, m.fails(`cat f`), "Input/output error")
	m.eventually(func() bool { return ended.Load() > 0 && ended.Load() == begun.Load() })
	require.Zero(t, whole.Load(), "the mount reads on after the announced length")
	require.Contains(t, m.failures.Events()[0].Message, "more than 10 bytes")
}
