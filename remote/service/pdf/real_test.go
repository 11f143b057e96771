package pdf

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

func pdfinfoPages(t *testing.T, path string) int {
	out := testrun.Must(exec.Command(testrun.Program(t, "pdfinfo"), path).Output())(t)
	return testrun.Must(strconv.Atoi(string(regexp.MustCompile(`(?m)^Pages: +(\d+)$`).FindSubmatch(out)[1])))(t)
}

func countWords(text string) map[string]int {
	words := map[string]int{}
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		words[w]++
	}
	return words
}

// qpdfJSON is the part of qpdf's output with pages, links and bookmarks.
type qpdfJSON struct {
	Pages []struct {
		Object string
	}
	Outlines []qpdfOutline
	QPDF     []map[string]json.RawMessage
}

type qpdfOutline struct {
	Dest json.RawMessage
	Kids []qpdfOutline
}

// object returns the page that a bookmark leads to: the first element of the
// destination, which may be in a dictionary.
func (o qpdfOutline) object(t *testing.T) string {
	var named struct {
		Dest json.RawMessage `json:"/D"`
	}
	dest := o.Dest
	if json.Unmarshal(dest, &named) == nil {
		dest = named.Dest
	}
	var parts []any
	require.NoError(t, json.Unmarshal(dest, &parts), "%s", o.Dest)
	return parts[0].(string)
}

func (q *qpdfJSON) marked(t *testing.T, outlines []qpdfOutline, into map[int]bool) {
	for _, o := range outlines {
		object := o.object(t)
		for i, p := range q.Pages {
			if p.Object == object {
				into[i+1] = true
			}
		}
		q.marked(t, o.Kids, into)
	}
}

// requireSameLinks compares the number of links, the addresses, and the pages
// of the bookmarks with qpdf's output.
func requireSameLinks(t *testing.T, path string, r *result) {
	file := filepath.Join(t.TempDir(), "out.json")
	out, err := exec.Command(testrun.Program(t, "qpdf"), "--json", path, file).CombinedOutput()
	require.NoError(t, err, "%s", out)
	content := testrun.Must(os.ReadFile(file))(t)
	var q qpdfJSON
	require.NoError(t, json.Unmarshal(content, &q))
	marked := map[int]bool{}
	q.marked(t, q.Outlines, marked)
	require.NotEmpty(t, marked)
	ours := map[int]bool{}
	for _, b := range r.outline {
		ours[b.Page] = true
	}
	require.Equal(t, marked, ours)

	objects := q.QPDF[1]
	total := 0
	want, got := map[string]int{}, map[string]int{}
	for _, p := range q.Pages[:len(r.pages)] {
		for _, annotation := range annotations(t, objects, p.Object) {
			if annotation.Subtype != "/Link" {
				continue
			}
			total++
			if uri, ok := strings.CutPrefix(annotation.A.URI, "u:"); ok {
				want[uri]++
			}
		}
	}
	found := 0
	for _, p := range r.pages {
		for _, l := range p.Links {
			found++
			require.True(t, l.URI != "" || l.Page > 0)
			if l.URI != "" {
				got[l.URI]++
			}
		}
	}
	t.Logf("%d links, %d addresses, %d pages with bookmarks", total, len(want), len(marked))
	require.Equal(t, want, got)
	require.Equal(t, total, found)
}

type annotation struct {
	Subtype string `json:"/Subtype"`
	A       struct {
		URI string `json:"/URI"`
	} `json:"/A"`
}

// annotations returns the annotations of a page, wherever they are in the file.
func annotations(t *testing.T, objects map[string]json.RawMessage, page string) (all []annotation) {
	var p struct {
		Value struct {
			Annots json.RawMessage `json:"/Annots"`
		}
	}
	require.NoError(t, json.Unmarshal(objects["obj:"+page], &p))
	var list []json.RawMessage
	if p.Value.Annots == nil {
		return nil
	}
	require.NoError(t, json.Unmarshal(resolve(t, objects, p.Value.Annots), &list))
	for _, item := range list {
		var fields map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(resolve(t, objects, item), &fields))
		if fields["/A"] != nil {
			fields["/A"] = resolve(t, objects, fields["/A"])
		}
		whole := testrun.Must(json.Marshal(fields))(t)
		var a annotation
		require.NoError(t, json.Unmarshal(whole, &a))
		all = append(all, a)
	}
	return all
}

// resolve follows a reference.
func resolve(t *testing.T, objects map[string]json.RawMessage, value json.RawMessage) json.RawMessage {
	var reference string
	if json.Unmarshal(value, &reference) != nil || !strings.HasSuffix(reference, " R") {
		return value
	}
	var o struct{ Value json.RawMessage }
	require.NoError(t, json.Unmarshal(objects["obj:"+reference], &o))
	return o.Value
}
