package apitest

import (
	"encoding/base64"
	"encoding/xml"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/pdftest"
)

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
	status, reason := s.ended(job)
	require.Equal(t, remote.JobCompleted, status, reason)
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
	status, _ = s.ended(gone)
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
