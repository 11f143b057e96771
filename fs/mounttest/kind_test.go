package mounttest

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
)

// TestSyncOfWhatIsGenerated checks fsync of generated files and directories: editors sync the files
// that they have written, and the directory.
func TestSyncOfWhatIsGenerated(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir papers/A papers/A/B.paper; ls papers/A/B.paper/settings`)
	assert.Equal(t, []string{"ChangePaperUrl"}, m.cost(`python3 - <<'END'
import os
for path in "papers", "papers/A", "papers/A/B.paper", "papers/A/B.paper/settings", "papers/A/B.paper/id", "by-id", "jobs", ".":
    f = os.open(path, os.O_RDONLY)
    os.fsync(f)
f = os.open("papers/A/B.paper/url", os.O_WRONLY)
os.write(f, b"other\n")
os.fsync(f)
os.close(f)
END`))
	assert.Equal(t, "/a/other/", m.sh(`cat papers/A/B.paper/url`))
}

// TestWhyTellsThatItSucceededSince checks that `paperfs why` also reports a later success.
func TestWhyTellsThatItSucceededSince(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`ls media; mkdir papers/A.paper`)
	m.proxy.Fail(remote.UploadFile, -1, 500)
	m.proxy.Fail(remote.CreateCategory, -1, 500)
	m.proxy.Fail(remote.ChangePaperUrl, -1, 500)
	m.proxy.Fail(remote.GetPaperStructure, -1, 500)
	m.sh(`set +e; mkdir papers/B; echo a > media/a; cp media/a media/b; echo x > papers/A.paper/url; cat papers/A.paper/structure.xml; true`)
	m.sh(`cp .paperfs/errors ../c; cp ../c media/b || :`)
	why := `for p in papers/B media/b papers/A.paper/url papers/A.paper/structure.xml; do "$PAPERFS" why $p; done`
	failed := m.sh(why)
	assert.NotContains(t, failed, "succeeded")
	assert.Contains(t, failed, "its content is in .paperfs/failed/b")
	m.sh(`rm .paperfs/failed/b`)
	assert.NotContains(t, m.sh(`"$PAPERFS" why media/b`), ".paperfs/failed")
	m.fails(`"$PAPERFS" why .paperfs/failed/b`)
	m.proxy.Heal()
	m.sh(`mkdir papers/B; cp ../c media/b; echo x > papers/A.paper/url; cat papers/A.paper/structure.xml`)
	for _, path := range []string{"papers/B", "media/b", "papers/A.paper/url", "papers/A.paper/structure.xml"} {
		assert.Contains(t, m.sh(`"$PAPERFS" why `+path), "; a later operation on it succeeded at 20", path)
	}
	assert.Contains(t, m.fails(`"$PAPERFS" why papers/None`), "no such file")
	assert.Contains(t, m.sh(`"$PAPERFS" why papers/A.paper/id`), "no failure")
	m.fails(`touch papers/A.paper/new`)
	assert.Contains(t, m.sh(`"$PAPERFS" why papers/A.paper/new`), "source.pdf")
}

// TestWhyTellsThatTheQueueSucceededSince checks that `paperfs why` also reports that a queued file was
// finally sent.
func TestWhyTellsThatTheQueueSucceededSince(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--write-back")
	m.sh(`ls media`)
	m.proxy.Fail(remote.UploadFile, -1, 500)
	m.sh(`echo a > media/a`)
	m.eventually(`"$PAPERFS" why media/a | grep -q failed`)
	m.proxy.Heal()
	m.sh(`"$PAPERFS" retry . && "$PAPERFS" wait .`)
	assert.Contains(t, m.sh(`"$PAPERFS" why media/a`), "; a later operation on it succeeded at 20")
}

func TestStatTellsWhoCanReadAPaper(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--timezone=UTC")
	m.sh(`mkdir papers/A.paper; echo logo > media/logo; "$PAPERFS" refresh media; until "$PAPERFS" stat media/logo | grep -q address; do read -rt 0.05 <> <(:); done`)
	stat := func() string { return m.sh(`"$PAPERFS" stat papers/A.paper`) }
	assert.Regexp(t, `address: +`+m.proxy.URL+`/a/\n`, stat())
	assert.Regexp(t, `publication: +public: a paper without a period is public at once`, stat())
	why := func() string { return m.sh(`"$PAPERFS" why papers/A.paper`) }
	assert.Regexp(t, `^no failure .*; it is public: a paper without a period is public at once`, why())
	m.sh(`echo 2199-01-01/2199-02-01 > papers/A.paper/publication`)
	assert.Regexp(t, `publication: +not yet public; it will be from 2199-01-01T00:00:00Z`, stat())
	assert.NotContains(t, why(), "public")
	m.sh(`echo 1999-01-01/1999-02-01 > papers/A.paper/publication`)
	assert.Regexp(t, `publication: +over since 1999-02-02T00:00:00Z;`, stat())
	m.sh(`echo 1999-01-01/2199-02-01 > papers/A.paper/publication`)
	assert.Regexp(t, `publication: +public until 2199-02-02T00:00:00Z;`, stat())
	m.refuse(remote.GetAllPapers, fmt.Sprintf(`<result><code>SUCCESS</code><data><category id="%s" name="" url="/">
<paper id="%s" name="A" url="/a/" publicationperiod-from="2031-05-31 22:00:00" publicationperiod-to="2031-03-01 06:00:00"/></category></data></result>`,
		m.sh(`cat papers/.category/id`), m.sh(`cat papers/A.paper/id`)))
	m.sh(`"$PAPERFS" refresh papers; ls papers`)
	m.eventually(`"$PAPERFS" stat papers/A.paper | grep "publication: *nobody: its period ends before it begins"`)
	assert.Contains(t, m.sh(`"$PAPERFS" stat --json papers/A.paper`), `"publication": "nobody"`)
	assert.Regexp(t, `address: +http://.*/logo`, m.sh(`"$PAPERFS" stat media/logo`))
}

// TestStatusForgetsThatTheServiceWasAway checks that status no longer reports that the service is
// unreachable once the service answers.
func TestStatusForgetsThatTheServiceWasAway(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir papers/A.paper; ls media`)
	m.proxy.Down()
	m.sh(`for i in 1 2 3; do { echo > .paperfs/refresh; ls papers media; } || :; done`)
	m.eventually(`"$PAPERFS" status . | grep -q "cannot be reached"`)
	m.proxy.Up()
	m.proxy.Fail(remote.GetAllPapers, -1, 400) // the mount must not need another tree
	m.proxy.Fail(remote.GetTree, -1, 400)
	m.eventually(`cat papers/A.paper/structure.xml`)
	assert.NotContains(t, m.sh(`"$PAPERFS" status .`), "cannot be reached")
	m.proxy.Heal()
}

// TestAPageIsCutToItsTitle checks that why reports only the title of an HTML page that arrives instead
// of an answer.
func TestAPageIsCutToItsTitle(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir papers/A.paper`)
	page := func(status int) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(status)
			_, _ = w.Write([]byte("<!DOCTYPE html><html><head><style>x</style><title>Sign in</title></head><body>never mind</body></html>"))
			return true
		}
	}
	m.proxy.Answer(remote.GetPaperStructure, page(200))
	m.proxy.Answer(remote.GetLinks, page(404))
	for _, file := range []string{"structure.xml", "links.xml"} {
		m.fails(`cat papers/A.paper/` + file)
		why := m.sh(`"$PAPERFS" why papers/A.paper/` + file)
		assert.Contains(t, why, ": Sign in")
		assert.NotContains(t, why, "never mind")
	}
}
