package service_test

import (
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/pdf/pdftest"
)

// pdfOptions writes the xmlOptions of a processing.
func pdfOptions(elements string) string { return "<options>" + elements + "</options>" }

// queue queues a PDF and gives the job.
func (s *server) queue(paper string, pdf []byte, options string) string {
	s.t.Helper()
	return s.must(remote.ProcessPDF, "paperID", paper, "xmlOptions", options, "base64Pdf", base64.StdEncoding.EncodeToString(pdf)).element(s.t, "jobGuid")
}

// ended waits for the end of a job and gives its status and reason.
func (s *server) ended(job string) (remote.JobStatus, string) {
	s.t.Helper()
	var status struct {
		Status string `xml:"ProcessStatus"`
		Reason string
	}
	require.Eventually(s.t, func() bool {
		status.Status, status.Reason = "", ""
		r := s.must(remote.GetProcessingStatus, "jobGuid", job)
		require.NoError(s.t, xml.Unmarshal([]byte("<data>"+r.data+"</data>"), &status))
		return status.Status != string(remote.JobPending)
	}, 2*time.Minute, 20*time.Millisecond)
	return remote.JobStatus(status.Status), status.Reason
}

// idle waits until none of the service's own jobs is pending.
func (s *server) idle() {
	s.t.Helper()
	require.Eventually(s.t, func() bool { return service.Idle(s.service) }, 2*time.Minute, 10*time.Millisecond)
}

// process queues a PDF and waits until it is the paper's.
func (s *server) process(paper string, pdf []byte, options string) {
	s.t.Helper()
	status, reason := s.ended(s.queue(paper, pdf, options))
	require.Equal(s.t, remote.JobCompleted, status, reason)
}

// pages gives the pages of a paper with their texts.
func (s *server) pages(paper string) []remote.Page {
	s.t.Helper()
	pages, err := remote.ParseStructure([]byte(s.must(remote.GetPaperStructure, "paperID", paper, "includeIndexedText", "true").data))
	require.NoError(s.t, err)
	return pages
}

func texts(pages []remote.Page) (all []string) {
	for _, p := range pages {
		all = append(all, p.Text)
	}
	return all
}

func index(pages []remote.Page) (all []int) {
	for _, p := range pages {
		if p.PartOfIndex {
			all = append(all, p.Number)
		}
	}
	return all
}

// links gives page, type and address of each link of a paper.
func (s *server) links(paper string) (all []string) {
	s.t.Helper()
	var root struct {
		Links []struct {
			Page  string `xml:"number"`
			Type  string `xml:"linktype"`
			URL   string `xml:"url"`
			Style string `xml:"stylename"`
		} `xml:"root>link"`
	}
	require.NoError(s.t, xml.Unmarshal([]byte("<data>"+s.must(remote.GetLinks, "paperID", paper).data+"</data>"), &root))
	for _, l := range root.Links {
		all = append(all, strings.Join([]string{l.Page, l.Type, l.URL, l.Style}, " "))
	}
	return all
}

func TestPDFBecomesPages(t *testing.T) {
	s := start(t)
	paper := s.paper(s.root(), "spring")
	s.process(paper, pdftest.Document([]pdftest.Sheet{
		{Text: "Spring is here", URI: "https://example.org/a?b=c&d", To: 3},
		{Text: "Rakes & hoses\nfrom 9.", URI: "mailto:me@example.org"},
		{Text: "The end", URI: "javascript:alert(1)"},
	}, pdftest.Bookmark{Title: "One", Page: 1}, pdftest.Bookmark{Title: "End", Page: 3}),
		pdfOptions("<preserve-index>false</preserve-index><import-bookmarks>true</import-bookmarks><import-links>1</import-links><import-links-styleid>7</import-links-styleid><what>ever</what>"))
	pages := s.pages(paper)
	require.Equal(t, []string{"Spring is here", "Rakes & hoses\nfrom 9.", "The end"}, texts(pages))
	require.Equal(t, []int{1, 3}, index(pages))
	require.Equal(t, []string{"1 url https://example.org/a?b=c&d 7", "1 page #p3 7", "2 mail mailto:me@example.org 7"}, s.links(paper))
	require.Contains(t, s.must(remote.GetProcessingPapers).data, "<processes />")
	require.Contains(t, s.must(remote.SearchPapersByContent, "query", "rakes & HOSES from", "categoryOrPaperID", s.root(), "xmlOptions", "").data, `pageNumber="2"`)
	fmt.Println(pages[0].Images)
}
