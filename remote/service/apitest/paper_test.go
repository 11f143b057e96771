package apitest

import (
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/pdftest"
)

func TestTreeOrderAndAddresses(t *testing.T) {
	t.Parallel()
	s := start(t)
	root := s.root()
	require.Equal(t, fmt.Sprintf(`<category id="%s" name="default" url="/" />`, root), s.tree())

	must := func(op *remote.Operation, parent, name, urlName string) string {
		return s.must(op, "parentID", parent, "name", name, "urlName", urlName).attribute(t, "id")
	}
	zoo := must(remote.CreateCategory, root, "zoo", "Zoo")
	pumps := must(remote.CreatePaper, root, `Pumps & "hoses" <1>`, "pumps")
	attic := must(remote.CreateCategory, root, "Attic", "attic")
	spring := must(remote.CreatePaper, attic, "spring", "spring")
	early := must(remote.CreatePaper, attic, "Spring", "spring-0")
	deep := must(remote.CreateCategory, attic, "x", "x")
	s.must(remote.SetPublicationPeriod, "paperID", spring, "from", "2031-03-01 06:00:00", "to", "2031-05-31T22:00")

	require.Equal(t, `<category id="`+root+`" name="default" url="/">`+
		`<category id="`+attic+`" name="Attic" url="/attic/">`+
		`<category id="`+deep+`" name="x" url="/attic/x/" />`+
		`<paper id="`+spring+`" name="spring" url="/attic/spring/" publicationperiod-from="2031-03-01 06:00:00" publicationperiod-to="2031-05-31 22:00:00" />`+
		`<paper id="`+early+`" name="Spring" url="/attic/spring-0/" />`+
		`</category>`+
		`<category id="`+zoo+`" name="zoo" url="/Zoo/" />`+
		`<paper id="`+pumps+`" name="Pumps &amp; &quot;hoses&quot; &lt;1&gt;" url="/pumps/" />`+
		`</category>`, s.tree())

	sub := s.must(remote.GetAllPapers, "paperID", attic)
	require.True(t, strings.HasPrefix(sub.data, `<category id="`+attic+`" name="Attic" url="/attic/">`), sub.data)
	one := s.must(remote.GetAllPapers, "paperID", pumps)
	require.Equal(t, `<paper id="`+pumps+`" name="Pumps &amp; &quot;hoses&quot; &lt;1&gt;" url="/pumps/" />`, one.data)
	s.fails(remote.PaperDoesNotExist, remote.GetAllPapers, "paperID", "4711")
}

func TestAddressesAreFoundInAnyCase(t *testing.T) {
	t.Parallel()
	s := start(t)
	cat := s.category(s.root(), "Garden")
	paper := s.paper(cat, "Spring-2031")
	for _, url := range []string{"/Garden/Spring-2031/", "/garden/SPRING-2031/"} {
		require.Equal(t, paper, s.must(remote.GetPaperIDFromUrl, "url", url).attribute(t, "id"))
	}
	require.Equal(t, cat, s.must(remote.GetPaperIDFromUrl, "url", "/garden/").attribute(t, "id"))
	require.Equal(t, "/Garden/Spring-2031/", s.must(remote.GetPaperUrlFromID, "paperID", " 00"+paper+" ").attribute(t, "url"))
	for _, free := range []string{"/garden/x/", "/garden/spring-2031/below/", "/garden/%53pring-2031/", "/ /", "/../"} {
		require.False(t, s.must(remote.GetPaperIDFromUrl, "url", free).has, free)
	}
	for _, bad := range []string{"", "garden/", "/garden", "http://h/garden/", "/garden/?a=/", "//"} {
		s.fails(remote.Failure, remote.GetPaperIDFromUrl, "url", bad)
	}
}

func TestChangeURL(t *testing.T) {
	t.Parallel()
	s := start(t)
	root := s.root()
	cat := s.category(root, "garden")
	paper, other := s.paper(cat, "spring"), s.paper(cat, "pumps")
	url := func(id string) string {
		return s.must(remote.GetPaperUrlFromID, "paperID", id).attribute(t, "url")
	}
	for newURL, want := range map[string]string{"summer": "/garden/summer/", "Summer/": "/garden/Summer/", "/GARDEN/fall": "/garden/fall/", "/garden/winter/": "/garden/winter/"} {
		s.must(remote.ChangePaperUrl, "paperID", paper, "newUrl", newURL)
		require.Equal(t, want, url(paper))
		s.must(remote.ChangePaperUrl, "paperID", paper, "newUrl", newURL) // unchanged
	}
	s.must(remote.ChangePaperUrl, "paperID", paper, "newUrl", "spring")
	for _, bad := range []string{"", " ", "..", "/", "/spring/", "/other/spring/", "/garden/", "/garden/a/b/", "a/b", "a//", "sp ring", " spring", "http://h/garden/x/", "x?a=b", "ü", "PUMPS"} {
		s.fails(remote.Failure, remote.ChangePaperUrl, "paperID", paper, "newUrl", bad)
	}
	require.Equal(t, "/garden/spring/", url(paper))
	s.must(remote.ChangePaperUrl, "paperID", cat, "newUrl", "yard")
	require.Equal(t, "/yard/pumps/", url(other))
	s.fails(remote.Failure, remote.ChangePaperUrl, "paperID", root, "newUrl", "x")
	for _, good := range []string{"x", "/garden/x/"} {
		s.fails(remote.PaperDoesNotExist, remote.ChangePaperUrl, "paperID", "999", "newUrl", good)
	}
	for _, bad := range []string{"", "sp ring", "a/b", "/garden/ü/", "http://h/x/"} { // values are checked before the node is looked up
		s.fails(remote.Failure, remote.ChangePaperUrl, "paperID", "999", "newUrl", bad)
	}
	require.Equal(t, paper, s.must(remote.GetPaperIDFromUrl, "url", "/yard/spring/").attribute(t, "id"))
	require.False(t, s.must(remote.GetPaperIDFromUrl, "url", "/garden/spring/").has)
}

func TestDelete(t *testing.T) {
	t.Parallel()
	s := start(t)
	root := s.root()
	cat := s.category(root, "garden")
	paper := s.paper(cat, "spring")
	s.fails(remote.Failure, remote.DeletePaper, "paperID", root)
	s.fails(remote.Failure, remote.DeletePaper, "paperID", cat)
	s.must(remote.DeletePaper, "paperID", paper)
	s.fails(remote.PaperDoesNotExist, remote.DeletePaper, "paperID", paper)
	s.must(remote.DeletePaper, "paperID", cat)
	s.reopen()
	require.NotContains(t, []string{root, cat, paper}, s.paper(root, "spring"), "an id was reused")
}

func TestNames(t *testing.T) {
	t.Parallel()
	s := start(t)
	root := s.root()
	for i, name := range []string{"a/b", "...", `"quoted" 'too'`, "x]]>y", strings.Repeat("é", 150), strings.Repeat("x", 255), "日本語", "\u00a0a\u00a0b"} {
		id := s.must(remote.CreatePaper, "parentID", root, "name", "  "+name+" ", "urlName", fmt.Sprintf("n%d", i)).attribute(t, "id")
		require.Equal(t, strings.TrimSpace(name), s.must(remote.GetAllPapers, "paperID", id).attribute(t, "name"))
	}
	before := s.tree()
	for _, name := range []string{"", "  ", strings.Repeat("x", 256), "a\x00b", "a\x01b", "a\nb", "a\tb", "a\x7fb", "a\u0085b", "\xff", "a\ufffeb"} {
		s.fails(remote.Failure, remote.CreateCategory, "parentID", root, "name", name, "urlName", "bad")
	}
	for _, urlName := range []string{"", " ", ".", "..", "a b", "a/b", "ä", "a?b", strings.Repeat("x", 129), "a%20b"} {
		s.fails(remote.Failure, remote.CreatePaper, "parentID", root, "name", "bad", "urlName", urlName)
	}
	require.Equal(t, before, s.tree())
	s.must(remote.CreatePaper, "parentID", root, "name", "good", "urlName", " A-z_0.9~ ")
	s.must(remote.CreatePaper, "parentID", root, "name", "good", "urlName", strings.Repeat("x", 128))
}

func TestParents(t *testing.T) {
	t.Parallel()
	s := start(t)
	paper := s.paper(s.root(), "p")
	for _, op := range []*remote.Operation{remote.CreateCategory, remote.CreatePaper} {
		s.fails(remote.Failure, op, "parentID", paper, "name", "x", "urlName", "x")
		s.fails(remote.PaperDoesNotExist, op, "parentID", "999", "name", "x", "urlName", "x")
		for _, id := range []string{"", "0", "-1", "+1", "1.0", "0x1", "1x", "2147483648", "99999999999999999999", "one"} {
			s.fails(remote.Failure, op, "parentID", id, "name", "x", "urlName", "x")
		}
	}
}

func TestPublicationPeriod(t *testing.T) {
	t.Parallel()
	s := start(t)
	root := s.root()
	paper := s.paper(root, "p")
	set := func(from, to string) reply {
		return s.call(remote.SetPublicationPeriod, "paperID", paper, "from", from, "to", to)
	}
	require.Equal(t, remote.Success, set("2031-03-01", "2031-03-01 00:00:01").code)
	tree := s.tree()
	require.Contains(t, tree, `publicationperiod-from="2031-03-01 00:00:00" publicationperiod-to="2031-03-01 00:00:01"`)
	for _, bad := range [][2]string{
		{"", ""}, {"2031-03-01", ""}, {"", "2031-03-01"}, {"2031-03-01", "2031-03-01"}, {"2031-03-02", "2031-03-01"}, {"2031-02-30", "2031-03-01"},
		{"01/03/2031", "2032-03-01"}, {"2031-03-01T00:00:00+02:00", "2032-03-01"}, {"1899-03-01", "2032-03-01"}, {"never", "2032-03-01"},
	} {
		require.Equal(t, remote.Failure, set(bad[0], bad[1]).code, "%q", bad)
	}
	require.Equal(t, tree, s.tree())
	s.fails(remote.PaperMustNotBeCategory, remote.SetPublicationPeriod, "paperID", root, "from", "2031-03-01", "to", "2032-03-01")
	s.fails(remote.PaperDoesNotExist, remote.SetPublicationPeriod, "paperID", "999", "from", "2031-03-01", "to", "2032-03-01")
	for range 2 {
		s.must(remote.ClearPublicationPeriod, "paperID", paper)
		require.NotContains(t, s.tree(), "publicationperiod")
	}
	s.fails(remote.PaperMustNotBeCategory, remote.ClearPublicationPeriod, "paperID", root)
}

func TestPreviewToken(t *testing.T) {
	t.Parallel()
	s := start(t)
	root := s.root()
	paper := s.paper(root, "p")
	seen := map[string]bool{}
	for _, ip := range []string{"", "203.0.113.7", " 2001:db8::1 ", "::ffff:203.0.113.7"} {
		token := s.must(remote.CreatePreviewToken, "paperID", paper, "validityMinutes", "525600", "ip", ip).element(t, "token")
		require.Regexp(t, `^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`, token)
		require.False(t, seen[token])
		seen[token] = true
	}
	for _, minutes := range []string{"", "0", "-1", "1.5", "525601", "1h"} {
		s.fails(remote.Failure, remote.CreatePreviewToken, "paperID", paper, "validityMinutes", minutes, "ip", "")
	}
	for _, ip := range []string{"x", "1.2.3", "1.2.3.4/8", "[::1]", "1.2.3.4:80", "fe80::1%eth0", "1.2.3.4,1.2.3.5"} {
		s.fails(remote.Failure, remote.CreatePreviewToken, "paperID", paper, "validityMinutes", "1", "ip", ip)
	}
	s.fails(remote.PaperMustNotBeCategory, remote.CreatePreviewToken, "paperID", root, "validityMinutes", "1", "ip", "")
	s.fails(remote.PaperDoesNotExist, remote.CreatePreviewToken, "paperID", "999", "validityMinutes", "1", "ip", "")
}

// TestAPDFMakesItsPaper sends PDFs for papers that are not there: each makes one, in one change; a repeat finds it, and what is refused leaves
// none.
func TestAPDFMakesItsPaper(t *testing.T) {
	t.Parallel()
	s := start(t)
	drop := func(parent, name string, pdf []byte, more ...string) reply {
		return s.call(remote.ProcessPDF, append([]string{"paperID", "", "parentID", parent, "name", name, "xmlOptions", "", "base64Pdf", base64.StdEncoding.EncodeToString(pdf)}, more...)...)
	}
	made := func(r reply) (paper, job string) {
		t.Helper()
		var data struct {
			Job   string `xml:"jobGuid"`
			Paper struct {
				ID string `xml:"id,attr"`
			} `xml:"paper"`
		}
		require.Equal(t, remote.Success, r.code, r.body)
		require.NoError(t, xml.Unmarshal([]byte("<data>"+r.data+"</data>"), &data))
		return data.Paper.ID, data.Job
	}
	public := func(paper string) string {
		return s.must(remote.GetSetting, "paperID", paper, "setting", "public").element(t, "public")
	}
	at := func(paper string) string {
		return s.must(remote.GetPaperUrlFromID, "paperID", paper).attribute(t, "url")
	}
	first, job := made(drop("1", "Frühling & <b>", pdftest.Text("one"), "draft", "true"))
	require.Equal(t, "/fruhling-and-b/", at(first))
	require.Equal(t, "false", public(first))
	again, same := made(drop("1", "Frühling & <b>", pdftest.Text("one"), "draft", "true"))
	require.Equal(t, []string{first, job}, []string{again, same}, "a repeat makes no second paper and no second job")
	other, _ := made(drop("1", "Frühling & <b>", pdftest.Text("two")))
	require.Equal(t, "/fruhling-and-b-2/", at(other))
	require.Equal(t, "true", public(other))
	s.completes(job)
	_, same = made(drop("1", "Frühling & <b>", pdftest.Text("one")))
	require.Equal(t, job, same, "nor where the pages are there")
	// What a category says for itself holds for its papers.
	open := s.category("1", "open")
	s.must(remote.SetSetting, "paperID", open, "setting", "language", "value", "de-AT")
	s.must(remote.SetSetting, "paperID", open, "setting", "public", "value", "true")
	german, _ := made(drop(open, "Ärger", pdftest.Text("three"), "draft", "true"))
	require.Equal(t, []string{"/open/aerger/", "true"}, []string{at(german), public(german)})
	closed := s.category("1", "closed")
	s.must(remote.SetSetting, "paperID", closed, "setting", "public", "value", "false")
	moved, _ := made(drop(closed, "Moved", pdftest.Text("six"), "draft", "true"))
	s.must(remote.SetSetting, "paperID", closed, "setting", "public", "value", "true")
	require.Equal(t, "false", public(moved), "it is a draft of its own, wherever it is moved")
	media, _ := made(drop("1", "Manage", pdftest.Text("four")))
	require.Equal(t, "/manage-2/", at(media), "the service itself has that address")
	nameless, _ := made(drop("1", "%%%", pdftest.Text("five")))
	require.Equal(t, "/paper/", at(nameless))
	// A PDF that fails may be sent again: for the same paper.
	broken, gone := made(drop("1", "broken", []byte("%PDF-1.4 and no more")))
	status, _ := s.ended(gone)
	require.Equal(t, remote.JobFailed, status)
	again, second := made(drop("1", "broken", []byte("%PDF-1.4 and no more")))
	require.Equal(t, broken, again)
	require.NotEqual(t, gone, second)
	s.idle()
	before := s.tree()
	for _, refused := range []reply{
		drop("1", "no PDF", []byte("text")), drop("1", " ", pdftest.Text("x")), drop(first, "in a paper", pdftest.Text("x")), drop("999", "nowhere", pdftest.Text("x")),
		drop("1", "odd", pdftest.Text("x"), "draft", "perhaps"), drop("1", "odd", pdftest.Text("x"), "xmlOptions", "<options"),
		s.call(remote.ProcessPDF, "paperID", first, "parentID", "1", "name", "two", "xmlOptions", "", "base64Pdf", "JVBERi0="),
	} {
		require.NotEqual(t, remote.Success, refused.code, refused.body)
	}
	require.Equal(t, before, s.tree())
}
