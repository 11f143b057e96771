package mounttest

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// Each of these tests is a row of `paperfs help requests`.

func TestMkdirCreatesCategoriesAndPapers(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir -p papers/Catalogues/2027 && mkdir papers/Catalogues/2027/Spring.paper`)
	assert.Equal(t, "2027", m.sh(`ls papers/Catalogues`))
	assert.Equal(t, "Spring.paper", m.sh(`ls papers/Catalogues/2027`))
	assert.Equal(t, "/catalogues/2027/spring/", m.sh(`cat papers/Catalogues/2027/Spring.paper/url`))

	// Everyone else sees it too.
	id, found := testrun.Must2(m.client().GetPaperIDFromUrl(t.Context(), "/catalogues/2027/spring/"))(t)
	require.True(t, found)
	assert.Equal(t, m.sh(`cat papers/Catalogues/2027/Spring.paper/id`), decimal(id))
}

// TestLitterIsNoCategory checks that directories that programs leave behind, such as those that
// unzip makes of an archive from a Mac, are not published.
func TestLitterIsNoCategory(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir papers/A`)
	for _, name := range []string{"__MACOSX", "@eaDir", `\$RECYCLE.BIN`, "lost+found"} {
		assert.Contains(t, m.fails(`mkdir "papers/A/`+name+`"`), "Operation not permitted")
		assert.Contains(t, m.sh(`"$PAPERFS" why "papers/A/`+name+`"`), "stay on this machine")
	}
	assert.Empty(t, m.sh(`ls -A papers/A`))
	assert.Empty(t, m.cost(`mkdir papers/A/lost+found || true`))
}

func TestFindWalksTheTree(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir -p papers/A/B papers/A/C && mkdir papers/A/B/X.paper`)
	assert.Equal(t, "papers\npapers/A\npapers/A/B\npapers/A/B/X.paper\npapers/A/C",
		m.sh(`find papers -name '*.paper' -prune -print -o -print | sort`))
	assert.Equal(t, strings.Join([]string{"address", "fields", "id", "job", "links.xml", "orders", "pages", "preview", "publication",
		"settings", "source.pdf", "statistics", "structure-text.xml", "structure.xml", "url"}, "\n"), m.sh(`ls papers/A/B/X.paper`))
}

func TestMvMovesPapersAndCategories(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir -p papers/A/Sub papers/B && mkdir papers/A/X.paper papers/A/Sub/Y.paper`)
	id := m.sh(`cat papers/A/X.paper/id`)
	assert.Equal(t, []string{"MovePaper"}, m.cost(`mv papers/A/X.paper papers/B/`))
	assert.Equal(t, id+"\n/b/x/", m.sh(`cat papers/B/X.paper/id papers/B/X.paper/url`))
	m.fails(`test -e papers/A/X.paper`)

	assert.Equal(t, []string{"MovePaper"}, m.cost(`mv papers/A/Sub papers/B/`))
	assert.Equal(t, "/b/sub/y/", m.sh(`cat papers/B/Sub/Y.paper/url`))
	url := testrun.Must(m.client().GetPaperUrlFromID(t.Context(), number(m.sh(`cat papers/B/Sub/Y.paper/id`))))(t)
	assert.Equal(t, "/b/sub/y/", url)
}

func TestInodeNumbersStay(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir papers/A papers/B && mkdir papers/A/X.paper && echo hello > media/f`)
	stat := `stat -c %i papers/A papers/*/X.paper papers/*/X.paper/url media/f media papers .paperfs/status`
	before := m.sh(stat)
	m.sh(`mv papers/A/X.paper papers/B/ && echo again > media/f`)
	after := m.sh(stat)
	assert.Equal(t, before, after, "after mv and overwrite")
	m.remount()
	assert.Equal(t, before, m.sh(stat), "after a remount")
}

func TestWritingURLChangesTheAddress(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir papers/A && mkdir papers/A/X.paper`)
	assert.Equal(t, []string{"ChangePaperUrl"}, m.cost(`echo spring-sale > papers/A/X.paper/url`))
	assert.Equal(t, "/a/spring-sale/", m.sh(`cat papers/A/X.paper/url`))
	m.sh(`echo /a/summer/ > papers/A/X.paper/url`)
	assert.Equal(t, "/a/summer/", m.sh(`cat papers/A/X.paper/url`))
	m.sh(`echo all > papers/A/.category/url`)
	assert.Equal(t, "/all/summer/", m.sh(`cat papers/A/X.paper/url`))
	m.sh(`printf winter >> papers/A/X.paper/url`)
	assert.Equal(t, "/all/winter/", m.sh(`cat papers/A/X.paper/url`), "a write with O_APPEND replaces the value")
}

func TestMvInsideByURLChangesTheAddress(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir papers/A && mkdir papers/A/X.paper`)
	assert.Equal(t, []string{"GetPaperIDFromUrl", "ChangePaperUrl"}, m.cost(`mv by-url/a/x by-url/a/y`),
		"mv checks whether the new name exists, which costs one request")
	assert.Equal(t, "/a/y/", m.sh(`cat papers/A/X.paper/url`))
	assert.Equal(t, "../../papers/A/X.paper", m.sh(`readlink by-url/a/y`))
}

func TestByIDAndByURL(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir -p papers/A/B && mkdir papers/A/B/X.paper && ls papers/A/B`)
	id := m.sh(`cat papers/A/B/X.paper/id`)
	assert.Empty(t, m.cost(`test "$(readlink by-id/`+id+`)" = ../papers/A/B/X.paper`))
	assert.Empty(t, m.cost(`test "$(readlink by-url/A/b/X)" = ../../../papers/A/B/X.paper`))
	assert.Equal(t, "/a/b/x/", m.sh(`cat by-id/`+id+`/url by-url/a/b/x/url | uniq`))
	assert.Empty(t, m.sh(`ls by-id by-url`+" | grep -v :"+` || true`))

	// A paper that others have created since is found: one lookup, then the catalogue.
	client := m.client()
	root, _ := testrun.Must2(client.GetPaperIDFromUrl(t.Context(), "/"))(t)
	made := testrun.Must(client.CreatePaper(t.Context(), nodeAt(root, "/"), "New", "new"))(t)
	assert.Equal(t, []string{"GetPaperUrlFromID", "GetAllPapers"}, m.cost(`test "$(readlink by-id/`+decimal(made)+`)" = ../papers/New.paper`))
	made = testrun.Must(client.CreatePaper(t.Context(), nodeAt(root, "/"), "Newer", "newer"))(t)
	assert.Equal(t, []string{"GetPaperIDFromUrl", "GetAllPapers"}, m.cost(`test "$(readlink by-url/newer)" = ../papers/Newer.paper`))
	assert.Equal(t, decimal(made), m.sh(`cat by-url/newer/id`))
}

// TestALinkThatStandsForAnotherPaper checks that a link whose target changes is another link, even
// for a process that has used the first.
func TestALinkThatStandsForAnotherPaper(t *testing.T) {
	t.Parallel()
	m := newPublisher(t)
	m.sh(`mkdir papers/A papers/A/One.paper papers/A/Two.paper papers/B papers/B/One.paper && echo x > papers/A/One.paper/url`)
	assert.Equal(t, "../../papers/A/One.paper", m.sh(`readlink by-url/a/x`))
	m.sh(`echo y > papers/A/One.paper/url && echo x > papers/A/Two.paper/url`)
	assert.Equal(t, "../../papers/A/Two.paper", m.sh(`readlink by-url/a/x`))
	m.sh(`cmp by-url/a/x/id papers/A/Two.paper/id`)

	const query, hit = `papers/.search/fields/Season=summer`, `001 One.paper`
	m.sh(`echo summer > papers/A/One.paper/fields/Season && ls ` + query)
	assert.Equal(t, "../../../../papers/A/One.paper", m.sh(`readlink '`+query+`/`+hit+`'`))
	m.sh(`echo winter > papers/A/One.paper/fields/Season && echo summer > papers/B/One.paper/fields/Season && ` + reread)
	assert.Equal(t, "../../../../papers/B/One.paper", m.sh(`readlink '`+query+`/`+hit+`'`))
}

func TestMissesAreRemembered(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`ls papers media`)
	assert.Equal(t, []string{"GetPaperUrlFromID"}, m.cost(`! test -e by-id/999999; ! test -e by-id/999999`))
	assert.Equal(t, []string{"GetPaperIDFromUrl"}, m.cost(`! test -e by-url/nothing; ! test -e by-url/nothing/below`))
	assert.Empty(t, m.cost(`! test -e by-id/.git; ! test -e by-id/abc; ! test -e by-id/-5; ! test -e by-id/007; ! test -e by-url/.git; ! test -e by-url/ä`))
	assert.Empty(t, m.cost(`! test -e papers/nothing; ! test -e media/nothing; ! test -e papers/.git; ! test -e .Trash; ! test -e papers/.directory`))
}

func TestPublicationPeriod(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--timezone=UTC")
	m.sh(`mkdir papers/X.paper`)
	assert.Empty(t, m.sh(`cat papers/X.paper/publication`))
	assert.Equal(t, []string{"SetPublicationPeriod"}, m.cost(`echo 2026-12-01/2027-01-31 > papers/X.paper/publication`))
	assert.Equal(t, "2026-12-01T00:00:00Z/2027-02-01T00:00:00Z", m.sh(`cat papers/X.paper/publication`))
	assert.Equal(t, []string{"ClearPublicationPeriod"}, m.cost(`echo > papers/X.paper/publication`))
	assert.Empty(t, m.sh(`cat papers/X.paper/publication`))
}

// TestAPeriodHasItsDaysInTheMountsZone sets periods as somebody in Los Angeles thinks of them.
func TestAPeriodHasItsDaysInTheMountsZone(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--timezone=America/Los_Angeles")
	m.sh(`mkdir papers/X.paper papers/Y.paper && echo 2027-03-10/2027-03-20 > papers/X.paper/publication`)
	assert.Equal(t, "2027-03-10T00:00:00-08:00/2027-03-21T00:00:00-07:00", m.sh(`cat papers/X.paper/publication`))
	m.sh(`cat papers/X.paper/publication > papers/Y.paper/publication && cmp papers/X.paper/publication papers/Y.paper/publication`)
	m.sh(`echo 2027-03-01/ > papers/X.paper/publication`)
	assert.Equal(t, "2027-03-01T00:00:00-08:00/", m.sh(`cat papers/X.paper/publication`))
	m.sh(`echo /2020-01-01 > papers/X.paper/publication`)
	assert.Equal(t, "/2020-01-02T00:00:00-08:00", m.sh(`cat papers/X.paper/publication`))
	assert.Contains(t, m.sh(`cat .paperfs/status`), `"timezone": "America/Los_Angeles"`)
}

func TestPreviewLinkOpensThePaper(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir papers/X.paper && echo 2020-01-01/2020-01-02 > papers/X.paper/publication`)
	status := func(url string) int {
		response := testrun.Must(http.Get(url))(t)
		response.Body.Close()
		return response.StatusCode
	}
	assert.Equal(t, http.StatusNotFound, status(m.proxy.URL+"/x/"), "the paper's period has ended")
	assert.Equal(t, []string{"CreatePreviewToken"}, m.cost(`echo 60 > papers/X.paper/preview`))
	assert.Empty(t, m.cost(`cat papers/X.paper/preview`))
	link, until, ok := strings.Cut(m.sh(`cat papers/X.paper/preview`), " until ")
	require.True(t, ok)
	assert.NotEmpty(t, until)
	assert.Equal(t, http.StatusOK, status(link))
	m.sh(`echo 60 203.0.113.7 > papers/X.paper/preview`)
	links := strings.Split(m.sh(`cut -d' ' -f1 papers/X.paper/preview`), "\n")
	require.Len(t, links, 2, "the links are listed, the newest last")
	assert.Equal(t, http.StatusUnauthorized, status(links[1]), "a preview link for another client address")
	assert.Equal(t, "600", m.sh(`stat -c %a papers/X.paper/preview`))
}

func TestSettings(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir papers/A && mkdir papers/A/X.paper`)
	assert.Contains(t, strings.Fields(m.sh(`ls papers/A/X.paper/settings`)), "autoMaximize")
	assert.Equal(t, "false", m.sh(`cat papers/A/X.paper/settings/autoMaximize`))
	assert.Equal(t, []string{"SetSetting"}, m.cost(`echo true > papers/A/.category/settings/autoMaximize`))
	m.sh(`echo papers/A/X.paper > .paperfs/refresh`)
	assert.Equal(t, "true", m.sh(`cat papers/A/X.paper/settings/autoMaximize`), "the setting is inherited")
	assert.Equal(t, "setting", m.sh(`xmllint --xpath 'name(/settings/setting[@name="autoMaximize"])' setting-descriptions.xml`))
	m.fails(`cat papers/A/X.paper/settings/nothing`)
}
