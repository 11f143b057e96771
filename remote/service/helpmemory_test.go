package service

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// nowhere discards an answer, and counts its bytes.
type nowhere struct {
	header http.Header
	bytes  int
}

func (n *nowhere) Header() http.Header { return n.header }
func (n *nowhere) WriteHeader(int)     {}
func (n *nowhere) Write(p []byte) (int, error) {
	n.bytes += len(p)
	return len(p), nil
}

// heap returns the bytes of the heap in use.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestHelpIsNotHeldInMemory checks that the service streams help instead of caching it: a WSDL
// names a host that the caller chooses.
func TestHelpIsNotHeldInMemory(t *testing.T) {
	s := testrun.Must(Open(Options{Data: filepath.Join(t.TempDir(), "data")}))(t)
	defer s.Close()
	out := &nowhere{header: http.Header{}}
	l := s.calls.StartLog(out, httptest.NewRequest(http.MethodGet, "/V2/Paper.asmx?WSDL", nil))
	before, after := heap(), int64(0)
	s.serveHelp(l, "text/xml", func(w io.Writer) error {
		for range 16 << 20 / 4096 {
			if _, err := w.Write(make([]byte, 4096)); err != nil {
				return err
			}
		}
		after = heap()
		return nil
	})
	require.EqualValues(t, 16<<20, out.bytes)
	require.Less(t, after-before, int64(4<<20), "bytes; the answer has 16 MiB")
}
