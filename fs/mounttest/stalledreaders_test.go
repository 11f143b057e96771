package mounttest

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/fs/programtest"
	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestReadersThatWaitHoldUpNoOthers lets programs wait for a service whose answers hardly move. Others
// go on reading what is here.
func TestReadersThatWaitHoldUpNoOthers(t *testing.T) {
	t.Parallel()
	const files, size = 20, 1 << 20
	m := newMount(t)
	for i := range files {
		testrun.Must(m.client().UploadFile(t.Context(), 0, fmt.Sprint("f", i), bytesOf(strings.Repeat("x", size))))(t)
	}
	m.remount()
	m.sh(`head -c 1000000 /dev/zero > media/.here && stat media/f19`)
	var begun atomic.Int32
	over := make(chan struct{})
	m.proxy.Answer(nil, func(w http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.URL.Path, ".asmx/") {
			return false
		}
		var from, to int
		_, _ = fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &from, &to)
		to = min(to, size-1)
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, to, size))
		w.Header().Set("Content-Length", fmt.Sprint(to-from+1))
		w.Header().Set("ETag", `"one"`)
		w.WriteHeader(http.StatusPartialContent)
		begun.Add(1)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for { // so slowly that no reader gets anything, and nobody gives up
			_, _ = w.Write([]byte("x"))
			_ = http.NewResponseController(w).Flush()
			select {
			case <-tick.C:
			case <-over:
				return true
			}
		}
	})
	defer close(over)
	for i := range files {
		reader := programtest.Command(t, testrun.Patience(), "cat", fmt.Sprintf("%s/media/f%d", m.dir, i))
		require.NoError(t, reader.Start())
		defer func() { _ = reader.Wait() }()
		defer func() { _ = reader.Process.Kill() }()
	}
	until(t, "the service has begun to answer", func() bool { return begun.Load() >= files })
	m.sh(`cmp media/.here <(head -c 1000000 /dev/zero)`)
}

// background is one more than the number of background requests that the kernel sends at a time.
// Releases are such requests, and so is readahead.
const background = 13

var count = strconv.Itoa(background)

// TestInterruptedCopiesHoldUpNoReader checks that a release waits for nothing, so that killed
// copies to a hanging service leave room for readers.
func TestInterruptedCopiesHoldUpNoReader(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`head -c 1048576 /dev/urandom > "$HOME/big"; cp "$HOME/big" media/big; echo content > "$HOME/f"`)
	release := m.proxy.Freeze(remote.UploadFile)
	defer release()
	m.proxy.Reset()
	copied := make(chan error)
	go func() {
		_, err := m.run("bash", `for i in {1..`+count+`}; do cp "$HOME/f" media/$i & echo $! >> "$HOME/pids"; done; touch "$HOME/begun"; wait`)
		copied <- err
	}()
	until(t, "all files are being sent", func() bool { return m.proxy.Count(remote.UploadFile) == background })
	m.eventually(`test -e "$HOME/begun"`)
	m.sh(`kill -KILL $(cat "$HOME/pids")`)
	require.NoError(t, <-copied)
	m.sh(`cmp "$HOME/big" media/big`)
	release()
	m.eventually(`grep -q '"idle": true' .paperfs/status`)
	assert.Len(t, m.atService(), background+1)
}

// TestAPDFThatNoCloseSentHoldsUpNoReader checks an exec, which closes the descriptors, so that only
// the releases queue the written content.
func TestAPDFThatNoCloseSentHoldsUpNoReader(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	m := newMount(t)
	m.sh(`mkdir papers/{1..` + count + `}.paper; head -c 1048576 /dev/urandom > "$HOME/big"; cp "$HOME/big" media/big`)
	release := m.proxy.Freeze(remote.ProcessPDF)
	defer release()
	m.refuse(remote.ProcessPDF, `<result><code>RIPPER_INVALID_BASE64_PDF_FILE</code></result>`)
	m.sh(`python3 -c 'import os
for i in range(1, ` + count + ` + 1):
    f = os.open(f"papers/{i}.paper/source.pdf", os.O_WRONLY | os.O_CLOEXEC)
    os.write(f, b"content")
os.execlp("true", "true")'`)
	until(t, "all PDFs are being sent", func() bool { return m.proxy.Count(remote.ProcessPDF) == 4 }) // as many as the queue sends at a time
	m.sh(`cmp "$HOME/big" media/big`)
	release()
	m.eventually(`test $(ls .paperfs/failed | wc -l) = ` + count)
}
