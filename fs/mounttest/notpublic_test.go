package mounttest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestACategoryIsNotPublicUntilItsPublisherSaysSo hides the papers of a category, also one that is put into it later, and shows one of
// them. curl is the reader.
func TestACategoryIsNotPublicUntilItsPublisherSaysSo(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("a.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/A papers/B && cp "$HOME/a.pdf" papers/A/Spring.pdf && "$PAPERFS" wait papers/A/Spring.paper`)
	seen := func(path string) string {
		return m.sh(`curl -so /dev/null -w '%{http_code}' "$("$PAPERFS" url ` + path + `)"`)
	}
	stat := func(path string) string { return m.sh(`"$PAPERFS" stat ` + path + ` | grep publication`) }
	assert.Equal(t, []string{"200", "200"}, []string{seen("papers/A/Spring.paper"), seen("papers/A")})
	assert.Regexp(t, `: +public: a paper without`, stat("papers/A/Spring.paper"))

	assert.Equal(t, []string{"SetSetting"}, m.cost(`echo false > papers/A/.category/settings/public`))
	m.sh(`cp "$HOME/a.pdf" papers/A/Summer.pdf && "$PAPERFS" wait papers/A/Summer.paper`)
	for _, path := range []string{"papers/A", "papers/A/Spring.paper", "papers/A/Summer.paper"} {
		assert.Equal(t, "404", seen(path), path)
	}
	assert.Equal(t, "false", m.sh(`cat papers/A/Summer.paper/settings/public`))
	assert.Regexp(t, `: +not public, because its setting public, or that of a category above it, is false; .* run: echo true > settings/public`, stat("papers/A/Spring.paper"))
	assert.Contains(t, m.sh(`"$PAPERFS" stat --json papers/A/Spring.paper`), `"publication": "not public"`)
	assert.Contains(t, m.sh(`"$PAPERFS" why papers/A/Spring.paper`), "it is not public, because")
	assert.Equal(t, "200", m.sh(`curl -so /dev/null -w '%{http_code}' "$("$PAPERFS" url --preview 60 papers/A/Spring.paper)"`))
	m.fails(`echo perhaps > papers/A/.category/settings/public`)

	m.sh(`cd papers/A/Spring.paper && echo true > settings/public`)
	assert.Equal(t, []string{"200", "404", "200"}, []string{seen("papers/A/Spring.paper"), seen("papers/A/Summer.paper"), seen("papers/A")})
	m.sh(`mv papers/A/Summer.paper papers/B/`)
	assert.Equal(t, "200", seen("papers/B/Summer.paper"))
	assert.Regexp(t, `: +public: `, stat("papers/B/Summer.paper"))
	m.sh(`mv papers/B/Summer.paper papers/A/`)
	assert.Equal(t, "404", seen("papers/A/Summer.paper"))
}

// TestALocalNameHidesTheServices checks that .paperfs/errors reports a file of the service that a
// local file hides, and what to do.
func TestALocalNameHidesTheServices(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir media/d; echo mine > media/d/c.part`)
	tree := testrun.Must(m.client().GetTree(t.Context()))(t)
	testrun.Must(m.client().UploadFile(t.Context(), tree.Dirs[0].ID, "c.part", bytesOf("theirs\n")))(t)

	m.sh(`echo > .paperfs/refresh; echo > .paperfs/refresh`)
	require.Equal(t, "mine", m.sh(`cat media/d/c.part`))
	told := m.sh(`cat .paperfs/errors`)
	require.Equal(t, 1, strings.Count(told, "media/d/c.part: a local file or directory hides the one of this name on the service: rename the local one to see it"), told)
	require.NotContains(t, told, "understood")
	m.sh(`mv media/d/c.part media/d/mine; echo > .paperfs/refresh; grep theirs media/d/c.part`)
}
