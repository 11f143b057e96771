package reader_test

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
)

// html returns a page as it is sent.
func (l *library) html(path string) string {
	l.Helper()
	r, err := http.Get(l.URL + path)
	require.NoError(l, err)
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	require.NoError(l, err)
	require.Equal(l, http.StatusOK, r.StatusCode, "%s: %.200s", path, body)
	return string(body)
}

var (
	script   = regexp.MustCompile(`(?:src|href)="([^"]+\.js)"`)
	imported = regexp.MustCompile(`(?:from|import) ?\(?['"](\./[^'"]+\.js)['"]`)
	button   = regexp.MustCompile(`<button type="button"[^>]*>`)
	unseen   = regexp.MustCompile(`(?s)<div [^>]* hidden>.*?</div>|<dialog.*?</dialog>`) // scripts open them
	target   = regexp.MustCompile(`href="#(p\d+)"`)
)

// TestAPageIsWholeBeforeItsScripts checks what a page promises without a browser: its text and
// contents are in it, what needs scripts is hidden, and every script that it can ask for is there.
func TestAPageIsWholeBeforeItsScripts(t *testing.T) {
	t.Parallel()
	l := open(t)
	l.paper("book", pdftest.Document([]pdftest.Sheet{{Text: "first page"}, {Text: "second page"}, {Text: "third page"}}, pdftest.Bookmark{Title: "Roses", Page: 3}))
	page := l.html("/book/")

	require.Contains(t, page, `<a class="button tip" id="chapters" href="#contents">`, "the contents open without scripts")
	for _, to := range target.FindAllStringSubmatch(page, -1) {
		require.Contains(t, page, ` id="`+to[1]+`"`, "a link leads to a page that is there")
	}
	for _, b := range button.FindAllString(unseen.ReplaceAllString(page, ""), -1) {
		if !strings.Contains(b, "popovertarget") { // the menu, which scripts fill
			require.Contains(t, b, " hidden", "without scripts a button does nothing, so it is hidden")
		}
	}
	text := l.html("/book/?View=text")
	require.Regexp(t, `<h1[^>]*>Paper book</h1>`, text)
	for _, words := range []string{"first page", "second page", "third page"} {
		require.Contains(t, text, words, "the text view has the text of every page")
	}

	seen := map[string]bool{}
	var follow func(path string)
	follow = func(path string) {
		if seen[path] {
			return
		}
		seen[path] = true
		for _, next := range imported.FindAllStringSubmatch(l.html(path), -1) {
			follow("/reader/" + strings.TrimPrefix(next[1], "./"))
		}
	}
	for _, at := range script.FindAllStringSubmatch(page, -1) {
		follow("/reader/" + at[1][strings.LastIndex(at[1], "/")+1:])
	}
	require.Greater(t, len(seen), 8, "the page's scripts, and those that these load: %v", seen)
}
