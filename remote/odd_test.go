package remote

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/remote/testrun"
	"paperfs/remote/xmlscan"
)

// oddNodes are undocumented forms of GetAllPapers records, with the nodes they become. A node
// without an id is left out.
var oddNodes = map[string]Node{
	`<paper id="7" name="p" url="/p/" publicationperiod-from="1.2.2026" publicationperiod-to="2026-03-01"/>`: {ID: 7, Name: "p", URL: "/p/"},
	`<paper id="7" name="p" url="/p/" publicationperiod-from="2026-03-01"/>`:                                 {ID: 7, Name: "p", URL: "/p/"},
	`<paper id="7" name="p" url=""/>`:                                    {ID: 7, Name: "p"},
	`<paper id="7" name="p"/>`:                                           {ID: 7, Name: "p"},
	`<paper id="7" name="p" url="https://x.example/a/p/"/>`:              {ID: 7, Name: "p", URL: "/a/p/"},
	`<paper id="7" name="p" url="/p"/>`:                                  {ID: 7, Name: "p", URL: "/p/"},
	`<paper id="7" url="/p/"/>`:                                          {ID: 7, Name: "p", URL: "/p/"},
	"<paper id=\"7\" name=\"p\x01\" url=\"/p/\"/>":                       {ID: 7, Name: "p\uFFFD", URL: "/p/"},
	"<paper id=\"7\" name=\"p&#0;\xff\" url=\"/p/\"/>":                   {ID: 7, Name: "p\uFFFD\uFFFD", URL: "/p/"},
	`<paper id="0" name="p" url="/p/"/>`:                                 {},
	`<paper id="-7" name="p" url="/p/"/>`:                                {},
	`<paper id="seven" name="p" url="/p/"/>`:                             {},
	`<paper name="p" url="/p/"/>`:                                        {},
	`<category id="0"><paper id="8" name="below" url="/b/"/></category>`: {},
}

func TestAnOddNodeHidesNoOther(t *testing.T) {
	t.Parallel()
	for record, want := range oddNodes {
		for _, form := range []string{"%s", `<string>%s</string>`} {
			body := result(Success, `<category id="1" name="" url="/"><paper id="2" name="a" url="/a/"/>`+record+`<paper id="3" name="z" url="/z/"/></category>`)
			if form != "%s" {
				body = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(body)
			}
			_, c := serve(t, answers(fmt.Sprintf(form, body)))
			nodes, err := collect(c, 1)
			require.NoError(t, err, record)
			require.Len(t, nodes, 4, record)
			require.Equal(t, []int64{1, 2, 3}, []int64{nodes[0].ID, nodes[1].ID, nodes[3].ID})
			got := nodes[2]
			if form == "%s" || !strings.Contains(record, "\x01") && !strings.Contains(record, "\xff") { // the wrapping document cannot carry these characters, so they are already replaced
				require.NotEmpty(t, got.Odd, record)
			}
			require.Equal(t, want, Node{ID: got.ID, Name: got.Name, URL: got.URL, Period: got.Period}, record)
		}
	}
}

// TestACharacterThatXMLCannotCarry checks that, in answers other than trees, a character that
// XML cannot carry is an error.
func TestACharacterThatXMLCannotCarry(t *testing.T) {
	t.Parallel()
	_, c := serve(t, answers("<result><code>SUCCESS</code><message>\x01</message></result>"))
	_, err := c.GetPaperUrlFromID(t.Context(), 1)
	require.Contains(t, fails(t, err, Broken).Reason(), "control character")
}

func TestNodesInPlacesThatCannotBeAreLeftOut(t *testing.T) {
	t.Parallel()
	_, c := serve(t, answers(result(Success, `<category id="1" name="" url="/"><paper id="2" name="a" url="/a/"><paper id="3" name="b" url="/b/"/></paper>`+
		`<paper id="4" name="c" url="/c/"/></category><category id="5" name="d" url="/d/"><paper id="6" name="e" url="/e/"/></category>`)))
	nodes := testrun.Must(collect(c, 1))(t)
	var ids []int64
	for _, n := range nodes {
		ids = append(ids, n.ID)
	}
	require.Equal(t, []int64{1, 2, 0, 4, 0}, ids)
	require.Contains(t, nodes[2].Odd, "below a paper")
	require.Contains(t, nodes[4].Odd, "second root")
}

func TestAnOddMediaRecordHidesNoOther(t *testing.T) {
	t.Parallel()
	for record, want := range map[string]MediaFile{
		`<file fileid="7" name="f" size="12 KB"/>`:                                             {ID: 7, Name: "f", SizeKB: 12, Bytes: -1},
		`<file fileid="7" name="f" size="2 MB"/>`:                                              {ID: 7, Name: "f", SizeKB: 2048, Bytes: -1},
		`<file fileid="7" name="f" size="large"/>`:                                             {ID: 7, Name: "f", SizeKB: -1, Bytes: -1},
		`<file fileid="7" name="f"/>`:                                                          {ID: 7, Name: "f", SizeKB: -1, Bytes: -1},
		`<file fileid="7" name="f" size="1" bytes="a lot"/>`:                                   {ID: 7, Name: "f", SizeKB: 1, Bytes: -1},
		"<file fileid=\"7\" name=\"f\x1b\" size=\"1\"/>":                                       {ID: 7, Name: "f\uFFFD", SizeKB: 1, Bytes: -1},
		`<file fileid="0" name="f" size="1"/>`:                                                 {},
		`<file fileid="7" size="1"/>`:                                                          {},
		`<file fileid="2" name="again" size="1"/>`:                                             {},
		`<directory directoryid="0" name="d"><file fileid="8" name="g" size="1"/></directory>`: {},
		`<directory directoryid="9"><file fileid="8" name="g" size="1"/></directory>`:          {},
		`<directory directoryid="5" name="again"/>`:                                            {},
	} {
		_, c := serve(t, answers(result(Success, `<directory directoryid="5" name="d"/><file fileid="2" name="a" size="1"/>`+record+`<file fileid="3" name="z" size="1"/>`)))
		tree, err := c.GetTree(t.Context())
		require.NoError(t, err, record)
		require.Len(t, tree.Odd, 1, record)
		require.Equal(t, []MediaDir{{ID: 5, Name: "d"}}, tree.Dirs, record)
		files := []MediaFile{{ID: 2, Name: "a", SizeKB: 1, Bytes: -1}, want, {ID: 3, Name: "z", SizeKB: 1, Bytes: -1}}
		if want.ID == 0 {
			files = append(files[:1], files[2])
		}
		require.Equal(t, files, tree.Files, record)
	}
}

// TestRecordsOfAnything checks that, whatever a record's attributes contain, the records
// around it are read, and its URL is a path or empty.
func TestRecordsOfAnything(t *testing.T) {
	t.Parallel()
	value := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"0", "7", "-1", "/", "/a", "a/", "//", "http://h", "http://h/a", "2026-01-01", "12 KB", " "}))
	escape := strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;").Replace
	rapid.Check(t, func(t *rapid.T) {
		var record strings.Builder
		for _, name := range []string{"id", "name", "url", "publicationperiod-from", "publicationperiod-to", "fileid", "directoryid", "size", "bytes"} {
			if rapid.Bool().Draw(t, "with "+name) {
				fmt.Fprintf(&record, ` %s="%s"`, name, escape(value.Draw(t, name)))
			}
		}
		var nodes []Node
		_, err := readAnswer(strings.NewReader(result(Success, `<category id="1" name="" url="/"><paper`+record.String()+`/><paper id="987654" name="z" url="/z/"/></category>`)),
			reading{lenient: true, data: func(s *xmlscan.Scanner) error {
				return visitNodes(s, Offers{}, func(n Node) error { nodes = append(nodes, n); return nil })
			}})
		require.NoError(t, err)
		require.Len(t, nodes, 3)
		require.EqualValues(t, 987654, nodes[2].ID)
		for _, n := range nodes {
			require.True(t, n.URL == "" || strings.HasPrefix(n.URL, "/") && strings.HasSuffix(n.URL, "/"), n.URL)
		}
		var tree MediaTree
		_, err = readAnswer(strings.NewReader(result(Success, `<file`+record.String()+`/><directory`+record.String()+`/><file fileid="987654" name="z" size="1"/>`)),
			reading{lenient: true, data: func(s *xmlscan.Scanner) error { return readMedia(s, &tree, mostMedia) }})
		require.NoError(t, err)
		require.EqualValues(t, 987654, tree.Files[len(tree.Files)-1].ID)
	})
}
