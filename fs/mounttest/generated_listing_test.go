package mounttest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestGeneratedListingsAreOfNow checks that the kernel, which caches the listings of all
// directories, shows no stale listing of a generated one.
func TestGeneratedListingsAreOfNow(t *testing.T) {
	t.Parallel()
	m := newPublisher(t)
	again := func(list string) string {
		first := m.sh(list)
		m.sh(`stat ` + list[len(`ls -U `):] + ` > /dev/null`)
		assert.Equal(t, first, m.sh(list))
		return first
	}
	fields, pages, query, jobs := `ls -U `+spring+`/fields`, `ls -U `+spring+`/pages`, `ls -U papers/.search/fields/Season=spr*`, `ls -U jobs`
	assert.NotContains(t, again(fields), "Weather")
	assert.NotEmpty(t, again(pages))
	assert.Empty(t, again(jobs))
	before := again(query)

	require.NoError(t, m.client().AddCustomField(t.Context(), "Weather", "string"))
	m.sh(`echo > .paperfs/refresh`)
	assert.Contains(t, again(fields), "Weather")
	m.sh(`cat jobs/8e0c2a44-6c5e-4c6a-9f0b-0f6b9b0e7a11`)
	assert.NotEmpty(t, again(jobs))
	m.sh(`echo Autumn > ` + spring + `/fields/Season; echo > .paperfs/refresh`)
	assert.NotEqual(t, before, again(query))
}

// TestListingDoesNotChangeADirectory checks that tar sees no directory change while it reads it.
func TestListingDoesNotChangeADirectory(t *testing.T) {
	t.Parallel()
	m := newPublisher(t)
	at := spring + `/fields`
	before := m.sh(`stat -c '%Z %Y' ` + at)
	m.sh(`tar cf /dev/null ` + at + ` && find ` + at + ` > /dev/null`)
	assert.Equal(t, before, m.sh(`stat -c '%Z %Y' `+at), "the times have not changed")
}

// TestAHalfReadGeneratedListing checks that the rest of a listing is of the same version, whatever
// others read in between.
func TestAHalfReadGeneratedListing(t *testing.T) {
	t.Parallel()
	m := newPublisher(t)
	add := func(field string) { require.NoError(t, m.client().AddCustomField(t.Context(), field, "string")) }
	for i := range 150 {
		add(fmt.Sprintf("Field%03d", i))
	}
	m.sh(`echo > .paperfs/refresh`)
	all := strings.Split(m.sh(`ls -U `+spring+`/fields`), "\n")
	require.Greater(t, len(all), 150)

	began := time.Now()
	half := testrun.Must(os.Open(filepath.Join(m.dir, strings.Trim(spring, `'`), "fields")))(t)
	defer half.Close()
	names := testrun.Must(half.Readdirnames(5))(t)
	add("AFirstOne")
	m.sh(`echo > .paperfs/refresh`)
	require.Contains(t, m.sh(`ls -U `+spring+`/fields`), "AFirstOne")
	if time.Since(began) > 20*time.Second {
		t.Skip("too slow: a half-read listing waits for no longer than 30 s")
	}
	rest := testrun.Must(half.Readdirnames(-1))(t)
	assert.Equal(t, all, append(names, rest...))
}

// TestWhatCannotBeListedCannotBeOpened checks that opening such a directory fails: many programs
// mistake one that fails only during reading for an empty one.
func TestWhatCannotBeListedCannotBeOpened(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.proxy.Fail(remote.GetAllPapers, -1, 400)
	assert.Contains(t, m.fails(`ls papers`), "cannot open")
	m.proxy.Heal()
	m.eventually(`ls papers media`)
	m.proxy.Down()
	m.sh(`ls -R papers media; mkdir media/.local; ls media/.local`)
}

// TestAListThatCannotBeHad checks that an unavailable list fails when it is read. Its directory can
// be opened once the trees are known (see scan.go).
func TestAListThatCannotBeHad(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir papers/X.paper`)
	m.proxy.Fail(remote.GetSettingDescriptions, -1, 400)
	m.proxy.Fail(remote.GetCustomFieldDefinitions, -1, 400)
	m.proxy.Fail(remote.SearchPapersByContent, -1, 400)
	m.eventually(`ls papers media > /dev/null; ls papers/X.paper/settings 2>&1 | grep -q 'reading directory'`)
	for _, list := range []string{`papers/X.paper/settings`, `papers/X.paper/fields`, `papers/.search/pages/garden`} {
		assert.Contains(t, m.fails(`ls `+list), "reading directory", list)
	}
}
