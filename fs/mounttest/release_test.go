package mounttest

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

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
