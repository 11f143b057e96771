package mounttest

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/fs/control"
	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestARetryAdoptsItsOwnContent checks that a retry sends the content with which it began, even if a
// newer upload to the same path fails in the meantime. Then failed/ keeps the newer content.
func TestARetryAdoptsItsOwnContent(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir media/d`) // the rename's target, because the kernel locks both directories of a rename
	m.refuse(remote.UploadFile, `<result><code>ERROR</code><message>No room.</message></result>`)
	m.fails(`echo older > "$HOME/f" && cp "$HOME/f" media/f`)
	m.eventually(`test -e .paperfs/failed/f`)
	m.proxy.Heal()

	arrived, pass, first := make(chan struct{}), make(chan struct{}), new(sync.Once)
	m.proxy.Answer(remote.UploadFile, func(w http.ResponseWriter, r *http.Request) bool {
		retried := false
		first.Do(func() { retried = true })
		if retried {
			close(arrived)
			<-pass
			return false
		}
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, `<result><code>ERROR</code><message>No room.</message></result>`)
		return true
	})
	retried := make(chan string)
	go func() {
		out, err := m.run("bash", `mv .paperfs/failed/f media/d/g`)
		if err != nil {
			out += err.Error()
		}
		retried <- out
	}()
	<-arrived
	m.fails(`echo newer content > "$HOME/f" && cp "$HOME/f" media/f`)
	m.eventually(`grep -q '14 bytes of "media/f"' .paperfs/uploads`)
	close(pass)
	assert.Empty(t, <-retried)
	assert.Equal(t, "older", m.sh(`cat media/d/g`))
	assert.Equal(t, "newer content", m.sh(`cat .paperfs/failed/f`))
	m.proxy.Heal()
	m.remount()
	assert.Equal(t, "older", m.sh(`cat media/d/g`))
	m.sh(`mv .paperfs/failed/f media/f && test -z "$(ls .paperfs/failed)"`)
	assert.Equal(t, map[string]string{"f": sum("newer content\n"), "d/g": sum("older\n")}, m.atService())
}

// TestRetryReplacesNothingNewer checks that `paperfs retry` does not replace newer content at the
// path, written locally or by a colleague. mv does.
func TestRetryReplacesNothingNewer(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`echo one > media/here; echo one > media/there; echo one > media/same`)
	m.refuse(remote.UploadFile, `<result><code>ERROR</code><message>No room.</message></result>`)
	m.fails(`for f in here there same gone; do echo two > media/$f; done; false`)
	m.eventually(`test "$(ls .paperfs/failed | wc -l)" = 4`)
	m.proxy.Heal()
	m.sh(`echo six > media/here`)
	testrun.Must(m.client().UploadFile(t.Context(), 0, "there", bytesOf("six\n")))(t)
	m.eventually(`"$PAPERFS" refresh media && grep -q six media/there`)
	m.crash()
	m.start()
	for _, name := range []string{"here", "there"} {
		assert.Contains(t, m.fails(`"$PAPERFS" retry media/`+name), "has changed since this content failed")
	}
	all := m.fails(`"$PAPERFS" retry .paperfs/failed`)
	assert.Equal(t, map[string]string{"here": sum("six\n"), "there": sum("six\n"), "same": sum("two\n"), "gone": sum("two\n")}, m.atService())
	assert.Equal(t, "here\nthere", m.sh(`ls .paperfs/failed`))
	commands := regexp.MustCompile(`paperfs (retry --over .*)`).FindAllStringSubmatch(all, -1)
	assert.Len(t, commands, 2)
	for _, c := range commands {
		assert.Contains(t, m.sh(`"$PAPERFS" `+c[1]), "is replaced, although it has changed since")
	}
	assert.Equal(t, map[string]string{"here": sum("two\n"), "there": sum("two\n"), "same": sum("two\n"), "gone": sum("two\n")}, m.atService())
}

// TestRetryInventsNoName checks that content that a kill left without a name is not published as
// unnamed-NUMBER.
func TestRetryInventsNoName(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.stop()
	require.NoError(t, os.WriteFile(filepath.Join(m.spool(), "4711"), []byte("content\n"), 0o600))
	m.start()
	for _, path := range []string{".paperfs/failed", ".paperfs/failed/unnamed-4711", "media/unnamed-4711"} {
		assert.Contains(t, m.fails(`"$PAPERFS" retry `+path), "media/NAME")
	}
	assert.Empty(t, m.atService())
	m.sh(`mv .paperfs/failed/unnamed-4711 media/found`)
	assert.Equal(t, map[string]string{"found": sum("content\n")}, m.atService())
}

// TestDiscardNamesThePath checks that the error of `paperfs discard` has the path that it was given.
func TestDiscardNamesThePath(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`echo one > media/there`)
	for _, path := range []string{"media/there", "media/nowhere"} {
		told := m.fails(`"$PAPERFS" discard ` + path)
		assert.Contains(t, told, m.dir+"/"+path+": there is no unpublished content")
		assert.NotContains(t, told, ".paperfs/discard")
	}
}

// TestNamesInFailedStay checks that the removal of an entry does not rename other entries.
func TestNamesInFailedStay(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir media/a media/b media/c`)
	m.refuse(remote.UploadFile, `<result><code>ERROR</code><message>No room.</message></result>`)
	for _, dir := range []string{"a", "b", "c"} {
		m.fails(`echo ` + dir + ` > "$HOME/f" && cp "$HOME/f" media/` + dir + `/f`)
		m.eventually(`grep -qx ` + dir + ` .paperfs/failed/f*`)
	}
	assert.Equal(t, "a\nb\nc", m.sh(`cat .paperfs/failed/* | sort`))
	name := m.sh(`cd .paperfs/failed && grep -lx b f*`)
	m.sh(`rm .paperfs/failed/f`)
	assert.Equal(t, name, m.sh(`cd .paperfs/failed && grep -lx b f*`))
	m.sh(`rm .paperfs/failed/* && test -z "$(ls .paperfs/failed)"`)
}

// TestRetryOfAllThatFailed checks that `paperfs retry` of failed/ sends all its content. Content that
// fails again stays there and does not stop the rest.
func TestRetryOfAllThatFailed(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir media/d`)
	m.refuse(remote.UploadFile, `<result><code>ERROR</code><message>The quota is used up.</message></result>`)
	m.fails(`for f in one d/two three; do echo $f > media/$f; done; false`)
	m.eventually(`test "$(ls .paperfs/failed | wc -l)" = 3`)
	m.sh(`"$PAPERFS" retry .`)
	assert.Equal(t, "3", m.sh(`ls .paperfs/failed | wc -l`), "retrying the queue does not change failed/")
	assert.Contains(t, m.fails(`"$PAPERFS" retry .paperfs/failed`), "three")
	m.proxy.Heal()
	m.sh(`mkdir media/e && echo e > media/e/four`)
	m.sh(`"$PAPERFS" retry "$PWD/.paperfs/failed" && test -z "$(ls .paperfs/failed)"`)
	assert.Equal(t, map[string]string{"one": sum("one\n"), "d/two": sum("d/two\n"), "three": sum("three\n"), "e/four": sum("e\n")}, m.atService())
	m.sh(`"$PAPERFS" retry .paperfs/failed`)
}

// TestRetryOfAllLeavesWhatMayBeAPart checks that a killed program's content, which may be
// incomplete, is sent only if the user names it.
func TestRetryOfAllLeavesWhatMayBeAPart(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("two.pdf", pdfOf(t, 2, 0))
	killed := `'import os, sys; f = open(sys.argv[1], "wb", 0); f.write(open(os.environ["HOME"] + "/two.pdf", "rb").read(300)); os.kill(os.getpid(), 9)'`
	m.sh(`mkdir papers/A`)
	m.refuse(remote.UploadFile, `<result><code>ERROR</code><message>No room.</message></result>`)
	m.fails(`echo whole > media/whole; false`)
	m.fails(`python3 -c ` + killed + ` media/half`)
	m.fails(`python3 -c ` + killed + ` papers/A/Half.pdf`)
	m.eventually(`test "$(ls .paperfs/failed | wc -l)" = 3`)
	m.proxy.Heal()
	told := m.fails(`"$PAPERFS" retry .paperfs/failed`)
	assert.Contains(t, told, "half may be a part of the file")
	assert.Contains(t, told, "Half.pdf may be a part of the file")
	assert.Equal(t, map[string]string{"whole": sum("whole\n")}, m.atService())
	assert.Equal(t, "Half.pdf\nhalf", m.sh(`LC_ALL=C ls .paperfs/failed`))
	assert.Empty(t, m.sh(`ls papers/A`))
	m.sh(`"$PAPERFS" retry media/half && head -c 300 "$HOME/two.pdf" | cmp - media/half`)
}

// TestFailedContentSaysWhereItBelongs checks that programs see the destination of content in failed/, and
// that a PDF for papers/ is not mistaken for a file of media/papers/, or vice versa.
func TestFailedContentSaysWhereItBelongs(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("Spring.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir -p media/papers/X.paper papers/X.paper papers/C`)
	for _, op := range []*remote.Operation{remote.ProcessPDF, remote.UploadFile} {
		m.refuse(op, `<result><code>READONLY</code><message>No room.</message></result>`)
	}
	places := []string{"media/papers/X.paper/source.pdf", "papers/C/Spring.pdf", "papers/X.paper/source.pdf"}
	for _, place := range places {
		m.fails(`cp "$HOME/Spring.pdf" ` + place)
	}
	m.eventually(`test "$(ls .paperfs/failed | wc -l)" = 3`)
	m.proxy.Heal()
	m.remount()
	var status control.Status
	require.NoError(t, json.Unmarshal([]byte(m.sh(`"$PAPERFS" status --json .`)), &status))
	var told, paths []string
	for _, f := range status.Media.FailedFiles {
		told, paths = append(told, f.Place), append(paths, f.Path)
	}
	assert.ElementsMatch(t, places, told)
	assert.ElementsMatch(t, []string{"papers/X.paper/source.pdf", "papers/C/Spring.pdf", "papers/X.paper/source.pdf"}, paths)
	assert.NotContains(t, m.sh(`cat .paperfs/uploads`), `"/`)
	for _, place := range places {
		assert.Contains(t, m.sh(`"$PAPERFS" why `+place), "No room", place)
		m.sh(`"$PAPERFS" retry ` + place + `; cmp "$HOME/Spring.pdf" ` + place)
	}
	m.sh(`test -z "$(ls .paperfs/failed)"`)
}

// TestLocalFilesInPapersAreListed checks that local files in papers/ are listed with the rest.
func TestLocalFilesInPapersAreListed(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "rsync")
	m := newMount(t)
	m.put("Spring.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/C papers/C/X.paper; echo a > media/a.part; echo no > papers/C/b.part; echo no > papers/C/X.paper/c.part`)
	m.refuse(remote.ProcessPDF, `<result><code>READONLY</code><message>No room.</message></result>`)
	m.fails(`rsync -a --delay-updates "$HOME/Spring.pdf" papers/C/`)
	list := m.sh(`"$PAPERFS" status --local .`)
	assert.Regexp(t, `^media/a\.part +2 B +since \d{4}-.*\npapers/C/\.~tmp~/ +1 file.*\npapers/C/b\.part +3 B +since \d{4}-.*\npapers/C/X\.paper/c\.part +3 B +since `, list)
	assert.Equal(t, "local", m.sh(`"$PAPERFS" stat --json papers/C/b.part | grep -o local`))
	m.sh(`rm papers/C/b.part papers/C/.~tmp~/Spring.pdf; rmdir papers/C/.~tmp~`)
	assert.NotContains(t, m.sh(`"$PAPERFS" status --local .`), "papers/C/b")
}

// TestASentPDFIsNeverEvicted checks that the cache keeps a sent PDF: mv from another disk has
// removed the original, and the service does not return it. The previous PDF may be evicted once
// the service has the new pages.
func TestASentPDFIsNeverEvicted(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--cache-size", "1B")
	m.put("Spring.pdf", pdfOf(t, 2, 0))
	m.put("new.pdf", pdfOf(t, 3, 0))
	m.sh(`mkdir papers/C; cp "$HOME/Spring.pdf" "$HOME/moved.pdf"; mv "$HOME/moved.pdf" papers/C/Spring.pdf; cp "$HOME/new.pdf" papers/C/Other.pdf
		for i in 1 2 3; do echo $i > media/$i; done`)
	held := `cmp "$HOME/Spring.pdf" papers/C/Spring.pdf; cmp "$HOME/new.pdf" papers/C/Other.pdf`
	m.sh(held)
	m.remount("--cache-size", "1B")
	m.sh(`for i in 4 5 6; do echo $i > media/$i; done; ` + held)
	lies := `find "$HOME/cache" -name $(sha256sum < "$HOME/Spring.pdf" | cut -d' ' -f1) | grep -q .`
	m.sh(lies + `; "$PAPERFS" wait papers/C/Spring.paper; cp "$HOME/new.pdf" papers/C/Spring.pdf; "$PAPERFS" wait papers/C/Spring.paper; echo 7 > media/7; echo 8 > media/8`)
	m.eventually(`! ` + lies)
	m.sh(`cmp "$HOME/new.pdf" papers/C/Spring.pdf`)
}
