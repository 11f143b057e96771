package apitest

import (
	"encoding/xml"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/help"
)

// elementNames returns the elements of a piece of XML.
func elementNames(text string) map[string]bool {
	names := map[string]bool{}
	d := xml.NewDecoder(strings.NewReader("<data>" + text + "</data>"))
	for {
		token, err := d.Token()
		if err != nil {
			return names
		}
		if e, ok := token.(xml.StartElement); ok {
			names[e.Name.Local] = true
		}
	}
}

// TestHelpShowsFormatsAndAnswers checks that the page of each operation tells the format of
// each parameter, and that the examples of answers have the elements of real answers.
func TestHelpShowsFormatsAndAnswers(t *testing.T) {
	t.Parallel()
	s := imported(t)
	for _, op := range remote.Operations {
		page := s.get(s.http.URL + "/V2/" + op.Group + ".asmx?op=" + op.Name)
		for _, param := range append([]string{op.Pair.Username, op.Pair.Password}, op.All()...) {
			require.NotEmpty(t, help.Format(op, param), "%s %s", op.Name, param)
			if page.status == http.StatusOK {
				require.Contains(t, page.body, "<code>"+param+"</code></dt>\n<dd>", op.Name)
				require.NotContains(t, page.body, "<code>"+param+"</code></dt>\n<dd></dd>", op.Name)
			}
		}
	}
	for _, c := range successes {
		if c.op == remote.ReprocessPaper {
			s.idle()
		}
		r := s.must(c.op, c.pairs...)
		example := help.Answer(c.op)
		if !r.has || example == "" && c.op.Group == "Search" {
			continue
		}
		shown := elementNames(example)
		for name := range elementNames(r.data) {
			require.True(t, shown[name], "%s answers with %s, which its example lacks: %s", c.op.Name, name, r.data)
		}
	}
	require.Contains(t, s.get(s.http.URL+"/V2/Search.asmx?op=SearchPapersByCustomFields").body, "customfieldcriterias")
	require.Contains(t, s.get(s.http.URL+"/V2/Media.asmx?op=UploadFile").body, "0 is the top of the library")
	require.Contains(t, s.get(s.http.URL+"/V2/Paper.asmx?op=CreatePreviewToken").body, "?SecurityToken=TOKEN")
}
