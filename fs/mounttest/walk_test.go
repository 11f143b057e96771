package mounttest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// bookshelf is a service with imported papers of some pages.
func bookshelf(t *testing.T, papers, pages int, change ...func(*service.Options)) *servicetest.Fixture {
	t.Helper()
	f := servicetest.Start(t, change...)
	var file strings.Builder
	file.WriteString(`<import><category url="/a/" name="A">`)
	for paper := range papers {
		fmt.Fprintf(&file, `<paper url="/a/p%d/" name="P%04d"><pages>`, paper, paper)
		for page := range pages {
			fmt.Fprintf(&file, `<page number="%d"><text>word %d of paper %d</text></page>`, page+1, page+1, paper)
		}
		file.WriteString(`</pages></paper>`)
	}
	file.WriteString(`</category></import>`)
	testrun.Must(f.Admin().Import(strings.NewReader(file.String()), "default"))(t)
	return f
}

// TestEveryWalkerListsAllPages walks imported papers, one whose PDF was processed in part, and one without pages, of a
// service that tells the number of pages with the tree.
func TestEveryWalkerListsAllPages(t *testing.T) {
	t.Parallel()
	needManual(t)
	m := newMountOf(t, bookshelf(t, 40, 3), "--pdf-options", `<options><all-pages>false</all-pages><pages-from>4</pages-from><pages-to>5</pages-to></options>`)
	m.sh(`mkdir papers/A/Range.paper papers/A/None.paper; cp ` + manual + ` papers/A/Range.paper/source.pdf; "$PAPERFS" wait papers/A/Range.paper`)
	count := `test $(find papers -name text.txt | wc -l) = 122; test $(python3 -c '
import os
print(sum(len(os.listdir(d)) for d, _, _ in os.walk("papers") if d.endswith("/pages")))') = 122; test "$(ls papers/A/Range.paper/pages)" = "$(printf '001\n002')"; test -z "$(ls papers/A/None.paper/pages)"`
	m.sh(count)
	m.forgetState()
	m.start()
	m.sh(`ls papers papers/A/Range.paper/settings papers/A/Range.paper/fields > /dev/null`)
	assert.Empty(t, m.cost(count), "listings cost nothing")
	asked := m.cost(`test $(grep -r --include=text.txt word papers/ | wc -l) = 120`)
	assert.Equal(t, 41, len(asked), "one request for each paper: %v", asked)
	m.sh(`cat papers/A/None.paper/structure.xml > /dev/null; test -z "$(ls papers/A/None.paper/pages)"; test "$(ls papers/A/P0003.paper/pages/002)" = text.txt`)
}

// TestTheNumberOfPagesFollows checks that a job of a colleague changes what is listed, and that a remount knows it.
func TestTheNumberOfPagesFollows(t *testing.T) {
	t.Parallel()
	m := newMountOf(t, bookshelf(t, 1, 3))
	m.told()
	m.sh(`test "$(ls papers/A/P0000.paper/pages | wc -l)" = 3`)
	paper, found := testrun.Must2(m.client().GetPaperIDFromUrl(t.Context(), "/a/p0/"))(t)
	require.True(t, found)
	m.colleaguesPDF(t, paper, 5)
	m.eventually(`test "$(ls papers/A/P0000.paper/pages | wc -l)" = 5`)
	m.colleaguesPDF(t, paper, 2)
	m.eventually(`test "$(ls papers/A/P0000.paper/pages | wc -l)" = 2`)
	m.stop()
	m.proxy.Down()
	m.start()
	assert.Equal(t, "001\n002", m.sh(`ls papers/A/P0000.paper/pages`))
}

// TestAWalkThatCannotBeCompleteFails walks the papers of a service that does not tell how many pages they have. A mirror
// then keeps what it has.
func TestAWalkThatCannotBeCompleteFails(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "rsync")
	m := newMountOf(t, bookshelf(t, 20, 2, func(o *service.Options) { o.NoExtended = true }))
	m.sh(`for i in $(seq -w 0 19); do mkdir -p "$HOME/mirror/A/P00$i.paper/pages/001"; echo mine > "$HOME/mirror/A/P00$i.paper/pages/001/text.txt"; done`)
	out := m.fails(`rsync -a --delete --include='*/' --include=text.txt --exclude='*' papers/ "$HOME/mirror/"; code=$?; echo "code $code"; exit $code`)
	assert.Contains(t, out, "code 23\n")
	assert.Contains(t, out, "busy")
	m.sh(`cd "$HOME/mirror/A"; test $(ls */pages/001/text.txt | wc -l) = 20; test $(grep -l mine */pages/001/text.txt | wc -l) = 12`)
	assert.Equal(t, "1", m.sh(`grep -c EBUSY .paperfs/errors`))
	assert.Equal(t, 8, m.proxy.Count(remote.GetPaperStructure)-8, "eight are listed, and their text is read")
	assert.Contains(t, m.fails(`grep -r --include=text.txt word papers/`), "busy")
	assert.Equal(t, "1", m.sh(`grep -c EBUSY .paperfs/errors`), "the same failure within a minute")
	m.sh(`test "$(ls papers/A/P0019.paper/pages | wc -l)" = 2`)
}
