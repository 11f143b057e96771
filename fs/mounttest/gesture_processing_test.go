package mounttest

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// manual is a real PDF that was not made for these tests (Debian's bash-doc).
const manual = "/usr/share/doc/bash/bashref.pdf"

// firstPage makes the service process the manual's first page only.
const firstPage = `--pdf-options=<options><all-pages>false</all-pages><pages-from>1</pages-from><pages-to>1</pages-to></options>`

func needManual(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(manual); err != nil {
		testrun.Missing(t, "bash-doc")
	}
}

func TestPublishingAPDF(t *testing.T) {
	t.Parallel()
	needManual(t)
	m := newMount(t, "--pdf-options", `<options><all-pages>false</all-pages><pages-from>1</pages-from><pages-to>12</pages-to>
		<import-links>true</import-links><import-links-styleid>1</import-links-styleid></options>`)
	m.sh(`mkdir papers/Manual.paper; cat papers/Manual.paper/job`)
	assert.Contains(t, m.fails(`cat papers/Manual.paper/source.pdf`), "not supported")
	assert.Equal(t, []string{"ProcessPDF"}, m.cost(`cp `+manual+` papers/Manual.paper/source.pdf`))
	m.sh(`cmp ` + manual + ` papers/Manual.paper/source.pdf; test $(stat -c %s papers/Manual.paper/source.pdf) = $(stat -c %s ` + manual + `)`)
	m.sh(`"$PAPERFS" wait papers/Manual.paper`)
	assert.Regexp(t, `^[0-9a-f-]{36} Completed$`, m.sh(`cat papers/Manual.paper/job`))
	assert.Equal(t, strings.Fields(m.sh(`cat papers/Manual.paper/job`))[0], m.sh(`ls jobs`))

	m.sh(`test -d papers/Manual.paper/pages/001`)
	assert.Equal(t, "normal.jpg\ntext.txt\nthumb.jpg\nzoom.jpg", m.sh(`ls papers/Manual.paper/pages/001`))
	for _, image := range []string{"zoom", "normal", "thumb"} {
		assert.Equal(t, "ffd8ff", m.sh(`head -c 3 papers/Manual.paper/pages/001/`+image+`.jpg | od -An -tx1 | tr -d ' '`))
	}
	assert.Contains(t, m.sh(`cat papers/Manual.paper/pages/001/text.txt`), "Bash")
	assert.Contains(t, m.sh(`cat "papers/.search/pages/Bourne-Again/$(ls papers/.search/pages/Bourne-Again | head -1)/text.txt"`), "Bourne-Again")
	assert.Equal(t, "true", m.sh(`xmllint --xpath 'count(/root/link) > 0' papers/Manual.paper/links.xml`))

	m.remount()
	m.sh(`cmp ` + manual + ` papers/Manual.paper/source.pdf; test -s papers/Manual.paper/pages/003/thumb.jpg`)
}

func TestAFileThatIsNoPDFIsRefusedAtTheClose(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir papers/X.paper; echo "no PDF" > "$HOME/f"`)
	for range 2 {
		assert.Contains(t, m.fails(`cp "$HOME/f" papers/X.paper/source.pdf`), "Invalid argument")
	}
	assert.Equal(t, "source.pdf", m.sh(`ls .paperfs/failed`))
	assert.Contains(t, m.sh(`"$PAPERFS" why papers/X.paper/source.pdf`), string(remote.InvalidBase64PDF))
	assert.Empty(t, m.sh(`cat papers/X.paper/job`))
	m.sh(`cmp "$HOME/f" .paperfs/failed/source.pdf && rm .paperfs/failed/source.pdf`)
}

func TestABrokenPDFEndsAsFailedWithAReason(t *testing.T) {
	t.Parallel()
	needManual(t)
	m := newMount(t, firstPage)
	m.sh(`mkdir papers/X.paper; head -c 20000 ` + manual + ` > "$HOME/half.pdf"; cp "$HOME/half.pdf" papers/X.paper/source.pdf`)
	out := m.fails(`"$PAPERFS" wait papers/X.paper`)
	assert.Contains(t, out, "Failed")
	job := strings.Split(m.sh(`cat papers/X.paper/job`), "\n")
	assert.Regexp(t, `^[0-9a-f-]{36} Failed$`, job[0])
	if assert.Len(t, job, 2) {
		assert.NotEmpty(t, job[1])
	}
}

func TestAKilledCopyPublishesNothing(t *testing.T) {
	t.Parallel()
	needManual(t)
	m := newMount(t, firstPage)
	m.sh(`mkdir papers/X.paper; p="$HOME/fifo"; mkfifo "$p"; (cat "$p" > papers/X.paper/source.pdf) & exec 3> "$p"
		head -c 100000 ` + manual + ` >&3; until test "$(stat -c %s papers/X.paper/source.pdf)" = 100000; do sleep 0.02; done
		kill -KILL $(pgrep -nx cat -P $!) || kill -KILL $!; exec 3>&-; wait || true`)
	m.eventually(`test -e .paperfs/failed/source.pdf`)
	assert.Equal(t, 0, m.proxy.Count(remote.ProcessPDF))
	assert.Equal(t, "100000", m.sh(`stat -c %s .paperfs/failed/source.pdf`))
	assert.Contains(t, m.sh(`"$PAPERFS" status . --json; cat .paperfs/uploads`), "killed")
}

// TestAProcessPDFWhoseReplyIsLost checks that the mount finds the job and starts no second one.
func TestAProcessPDFWhoseReplyIsLost(t *testing.T) {
	t.Parallel()
	m := newMountOf(t, servicetest.Start(t, func(o *service.Options) { o.PDFJobs = -1 })) // a job waits for ever
	m.put("one.pdf", pdfOf(t, 1, 0))
	m.sh(`mkdir papers/X.paper`)
	m.proxy.Cut(remote.ProcessPDF, 1, 0)
	assert.Equal(t, []string{"ProcessPDF", "GetProcessingPapers"}, m.cost(`cp "$HOME/one.pdf" papers/X.paper/source.pdf`))
	assert.Regexp(t, `^[0-9a-f-]{36} `, m.sh(`cat papers/X.paper/job`))
}

// TestChildrenWithAPDF checks that closes by children send nothing while their parent has the PDF
// open, and that the output of a killed child is never sent.
func TestChildrenWithAPDF(t *testing.T) {
	t.Parallel()
	needManual(t)
	m := newMount(t, firstPage)
	m.sh(`mkdir papers/X.paper; python3 -c '
import os, subprocess, sys
f = open("papers/X.paper/source.pdf", "wb", 0)
size = os.stat(sys.argv[1]).st_size
for at in range(0, size, size // 5):
    subprocess.run(["tail", "-c", "+%d" % (at + 1), sys.argv[1]], check=True, stdout=open(os.environ["HOME"] + "/rest", "wb"))
    subprocess.run(["head", "-c", str(min(size // 5, size - at)), os.environ["HOME"] + "/rest"], check=True, stdout=f)
f.close()' ` + manual)
	assert.Equal(t, 1, m.proxy.Count(remote.ProcessPDF))
	m.sh(`cmp ` + manual + ` papers/X.paper/source.pdf; "$PAPERFS" wait papers/X.paper`)

	m.proxy.Reset()
	m.sh(`python3 -c '
import errno, subprocess, sys
f = open("papers/X.paper/source.pdf", "wb", 0)
subprocess.Popen(["sh", "-c", "head -c 20000 " + sys.argv[1] + "; kill -KILL $$"], stdout=f).wait()
subprocess.run(["sh", "-c", "printf x; kill -KILL $$"], stdout=f)
try: f.close()
except OSError as e: assert e.errno == errno.EIO, e
else: raise AssertionError("the close of half a PDF succeeded")' ` + manual)
	m.eventually(`test -e .paperfs/failed/source.pdf`) // the last release of the file comes after the close
	assert.Equal(t, "20001", m.sh(`stat -c %s .paperfs/failed/source.pdf`))
	assert.Equal(t, 0, m.proxy.Count(remote.ProcessPDF))
	m.sh(`cmp ` + manual + ` papers/X.paper/source.pdf`)
}
