package apitest

import (
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/pdf"
	"paperfs/remote/testrun"
)

// pdfOptions returns the xmlOptions of a processing.
func pdfOptions(elements string) string { return "<options>" + elements + "</options>" }

// queue queues a PDF and returns the job.
func (s *server) queue(paper string, pdf []byte, options string) string {
	s.t.Helper()
	return s.must(remote.ProcessPDF, "paperID", paper, "xmlOptions", options, "base64Pdf", base64.StdEncoding.EncodeToString(pdf)).element(s.t, "jobGuid")
}

// ended waits until a job ends and returns its status and reason.
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
	}, testrun.Patience(), 20*time.Millisecond)
	return remote.JobStatus(status.Status), status.Reason
}

// idle waits until none of the service's own jobs is pending.
func (s *server) idle() {
	s.t.Helper()
	require.Eventually(s.t, func() bool { return s.isIdle() }, testrun.Patience(), 10*time.Millisecond)
}

// keeps waits until exactly this many contents are left: the service removes content only after the
// change that makes it unnecessary.
func (s *server) keeps(contents int) {
	s.t.Helper()
	require.Eventually(s.t, func() bool { return s.contents() == contents }, testrun.Patience(), time.Millisecond)
}

// process queues a PDF and waits until it is published.
func (s *server) process(paper string, pdf []byte, options string) {
	s.t.Helper()
	s.completes(s.queue(paper, pdf, options))
}

// completes waits for a job, which has to succeed.
func (s *server) completes(job string) {
	s.t.Helper()
	status, reason := s.ended(job)
	require.Equal(s.t, remote.JobCompleted, status, reason)
}

// pages returns the pages of a paper with their texts.
func (s *server) pages(paper string) []remote.Page {
	s.t.Helper()
	pages := testrun.Must(remote.ParseStructure([]byte(s.must(remote.GetPaperStructure, "paperID", paper, "includeIndexedText", "true").data)))(s.t)
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

// links returns page, type and address of each link of a paper.
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

// imports are options that import everything a PDF has besides its pages.
const imports = "<preserve-index>false</preserve-index><import-bookmarks>true</import-bookmarks>" +
	"<preserve-links>false</preserve-links><import-links>1</import-links><import-links-styleid>7</import-links-styleid>"

func TestPDFBecomesPages(t *testing.T) {
	t.Parallel()
	s := start(t)
	paper := s.paper(s.root(), "spring")
	pdf := pdftest.Document([]pdftest.Sheet{
		{Text: "Spring is here", URI: "https://example.org/a?b=c&d", To: 3},
		{Text: "Rakes & hoses\nfrom 9.", URI: "mailto:me@example.org"},
		{Text: "The end", URI: "javascript:alert(1)"},
	}, pdftest.Bookmark{Title: "One", Page: 1}, pdftest.Bookmark{Title: "End", Page: 3})
	s.process(paper, pdf, pdfOptions(imports+"<what>ever</what>"))
	pages := s.pages(paper)
	require.Equal(t, []string{"Spring is here", "Rakes & hoses\nfrom 9.", "The end"}, texts(pages))
	require.Equal(t, []int{1, 3}, index(pages))
	require.Equal(t, []string{"1 url https://example.org/a?b=c&d 7", "1 page #p3 7", "2 mail mailto:me@example.org 7"}, s.links(paper))
	require.Contains(t, s.must(remote.GetProcessingPapers).data, "<processes />")
	require.Contains(t, s.must(remote.SearchPapersByContent, "query", "rakes & HOSES from", "categoryOrPaperID", s.root(), "xmlOptions", "").data, `pageNumber="2"`)
	s.must(remote.AddCustomField, "name", "Season", "dataType", "string")
	s.must(remote.SetCustomFieldValue, "paperID", paper, "fieldName", "Season", "value", "x")
	r := s.must(remote.SearchPapersByCustomFields, "categoryID", s.root(), "xmlOptions", seasonIs)
	require.Contains(t, r.data, fmt.Sprintf(`lastprocessed="2031-05-04 10:00:00" pdffilesize="%d"`, (len(pdf)+1023)/1024))
	s.keeps(2) // the PDF and its images
}

func TestProcessingOptions(t *testing.T) {
	t.Parallel()
	s := start(t)
	paper := s.paper(s.root(), "spring")
	_, err := s.importText(`<import><paper url="/spring/"><pages><page number="1"/><page number="2" part-of-index="True"/><page number="3"/></pages>
		<root><link><number>2</number><x>0</x><y>0</y><width>1</width><height>1</height><url>https://old.example/</url><linktype>url</linktype></link>
		<link><number>4</number><x>0</x><y>0</y><width>1</width><height>1</height></link></root></paper></import>`)
	require.NoError(t, err)
	old := "2 url https://old.example/ "
	pdf := pdftest.Document([]pdftest.Sheet{{Text: "one", To: 3}, {Text: "two", URI: "https://new.example/"}, {Text: "three", To: 1}}, pdftest.Bookmark{Title: "3", Page: 3})
	for _, c := range []struct {
		options string
		texts   []string
		index   []int
		links   []string
	}{
		{"", []string{"one", "two", "three"}, []int{2}, []string{old}},
		{pdfOptions("<import-bookmarks>true</import-bookmarks>"), []string{"one", "two", "three"}, []int{2}, []string{old}},
		{pdfOptions("<import-links>true</import-links><import-links-styleid>5</import-links-styleid>"), []string{"one", "two", "three"}, []int{2},
			[]string{old, "1 page #p3 5", "2 url https://new.example/ 5", "3 page #p1 5"}},
		{pdfOptions("<import-links>true</import-links><import-links-styleid>5</import-links-styleid>"), []string{"one", "two", "three"}, []int{2},
			[]string{old, "1 page #p3 5", "2 url https://new.example/ 5", "3 page #p1 5"}},
		{pdfOptions(imports + "<pages-from>x</pages-from>"), []string{"one", "two", "three"}, []int{3},
			[]string{"1 page #p3 7", "2 url https://new.example/ 7", "3 page #p1 7"}},
		{pdfOptions(imports + "<all-pages>false</all-pages><pages-from>2</pages-from><pages-to>3</pages-to>"), []string{"two", "three"}, []int{2},
			[]string{"1 url https://new.example/ 7"}},
		{pdfOptions("<preserve-index>0</preserve-index><preserve-links>0</preserve-links>"), []string{"one", "two", "three"}, nil, nil},
	} {
		s.process(paper, pdf, c.options)
		pages := s.pages(paper)
		require.Equal(t, c.texts, texts(pages), c.options)
		require.Equal(t, c.index, index(pages), c.options)
		require.Equal(t, c.links, s.links(paper), c.options)
		s.keeps(2) // the replaced content is removed
	}
	status, reason := s.ended(s.must(remote.ReprocessPaper, "paperID", paper, "xmlOptions",
		pdfOptions("<all-pages>false</all-pages><pages-from>2</pages-from><pages-to>2</pages-to><preprocessors><preprocessor name='watermark'>"+
			"<text>DRAFT</text><opacity>0.5</opacity><font-size>40</font-size><only-first-page>true</only-first-page></preprocessor><preprocessor name='x'/></preprocessors>")).element(t, "jobGuid"))
	require.Equal(t, remote.JobCompleted, status, reason)
	require.Equal(t, []string{"two"}, texts(s.pages(paper)))
	s.keeps(2)
	s.must(remote.DeletePaper, "paperID", paper)
	require.True(t, s.purgeAll())
	require.Zero(t, s.contents())
}

// TestAPartOfALongPDF checks that a part of a PDF can be processed even if the whole is too long,
// and that too long a part is refused before it is queued.
func TestAPartOfALongPDF(t *testing.T) {
	t.Parallel()
	s := start(t, func(o *service.Options) { o.PDFLimits.Pages = 2 })
	paper := s.paper(s.root(), "spring")
	part := func(from, to int) string {
		return pdfOptions(fmt.Sprintf("<all-pages>false</all-pages><pages-from>%d</pages-from><pages-to>%d</pages-to>", from, to))
	}
	file := base64.StdEncoding.EncodeToString(pdftest.Text("one", "two", "three", "four"))
	job := func(options string) (remote.JobStatus, string) {
		return s.ended(s.must(remote.ProcessPDF, "paperID", paper, "xmlOptions", options, "base64Pdf", file).element(t, "jobGuid"))
	}
	status, reason := job("")
	require.Equal(t, remote.JobFailed, status)
	require.Contains(t, reason, "The PDF has 4 pages; the limit is 2.")
	require.Contains(t, reason, "pages-from")
	status, reason = job(part(3, 4))
	require.Equal(t, remote.JobCompleted, status, reason)
	require.Equal(t, []string{"three", "four"}, texts(s.pages(paper)))
	refused := s.fails(remote.Failure, remote.ProcessPDF, "paperID", paper, "xmlOptions", part(2, 4), "base64Pdf", file)
	require.Contains(t, refused.words, "3 pages; at most 2")
	require.Contains(t, s.must(remote.GetProcessingPapers).data, "<processes />")
}

func TestProcessingOptionsThatAreWrong(t *testing.T) {
	t.Parallel()
	s := start(t)
	paper := s.paper(s.root(), "spring")
	mark := func(text, opacity, size, first string) string {
		return pdfOptions("<preprocessors><preprocessor name='watermark'>" + text + opacity + size + first + "</preprocessor></preprocessors>")
	}
	const text, opacity, size, first = "<text>x</text>", "<opacity>1.0</opacity>", "<font-size>9</font-size>", "<only-first-page>false</only-first-page>"
	for _, options := range []string{
		"x", "<option/>", "<options>", "<!DOCTYPE options><options/>",
		pdfOptions("<preserve-index>maybe</preserve-index>"), pdfOptions("<all-pages>no</all-pages>"),
		pdfOptions("<all-pages>false</all-pages>"), pdfOptions("<all-pages>0</all-pages><pages-from>1</pages-from>"),
		pdfOptions("<all-pages>0</all-pages><pages-from>3</pages-from><pages-to>2</pages-to>"),
		pdfOptions("<all-pages>0</all-pages><pages-from>0</pages-from><pages-to>2</pages-to>"),
		pdfOptions("<import-links>true</import-links>"), pdfOptions("<import-links-styleid>x</import-links-styleid>"),
		mark("", opacity, size, first), mark(text, "", size, first), mark(text, opacity, "", first), mark(text, opacity, size, ""),
		mark(text, "<opacity>1.1</opacity>", size, first), mark(text, "<opacity>NaN</opacity>", size, first), mark(text, opacity, "<font-size>0</font-size>", first),
	} {
		s.fails(remote.Failure, remote.ProcessPDF, "paperID", paper, "xmlOptions", options, "base64Pdf", somePDF)
		s.fails(remote.Failure, remote.ReprocessPaper, "paperID", paper, "xmlOptions", options)
	}
	require.Contains(t, s.must(remote.GetProcessingPapers).data, "<processes />")
	require.Zero(t, s.contents())
}

func TestFilesThatAreNoPDFs(t *testing.T) {
	t.Parallel()
	s := start(t, func(o *service.Options) { o.PDFLimit = 4000 })
	paper := s.paper(s.root(), "spring")
	encode := base64.StdEncoding.EncodeToString
	for _, file := range []string{"", "x", "JVBERi0", encode([]byte("PDF-1.7")), encode([]byte(strings.Repeat(" ", 1020) + "%PDF-1.7"))} {
		s.fails(remote.InvalidBase64PDF, remote.ProcessPDF, "paperID", paper, "xmlOptions", "", "base64Pdf", file)
	}
	large := append(pdftest.Text("one"), make([]byte, 4000)...)
	require.Contains(t, s.fails(remote.Failure, remote.ProcessPDF, "paperID", paper, "xmlOptions", "", "base64Pdf", encode(large)).words, "4000 bytes")
	s.fails(remote.PaperDoesNotExist, remote.ProcessPDF, "paperID", "999", "xmlOptions", "", "base64Pdf", somePDF)
	s.fails(remote.PaperMustNotBeCategory, remote.ProcessPDF, "paperID", s.root(), "xmlOptions", "", "base64Pdf", somePDF)
	s.fails(remote.Failure, remote.ReprocessPaper, "paperID", paper, "xmlOptions", "")
	require.Contains(t, s.must(remote.GetProcessingPapers).data, "<processes />")
	require.Zero(t, s.contents())
	s.process(paper, append([]byte(strings.Repeat("\n", 1019)), pdftest.Text("one")...), "")
	require.Equal(t, []string{"one"}, texts(s.pages(paper)), "%PDF- may be anywhere in the first 1024 bytes")
}

// TestFailedJobLeavesThePaperAsItWas checks that the paper does not change, neither during the job
// nor when it fails, for each kind of failure.
func TestFailedJobLeavesThePaperAsItWas(t *testing.T) {
	t.Parallel()
	left, limit := int64(3), time.Second // of processor time: an ordinary page takes hundredths, however busy the machine is
	s := start(t, func(o *service.Options) { o.PDFLimits = pdf.Limits{Page: limit} })
	require.NoError(t, setTenant(s.admin(), admin.TenantSettings{Name: "default", Processings: &left}))
	paper := s.paper(s.root(), "spring")
	s.process(paper, pdftest.Text("old"), "")
	before := s.must(remote.GetPaperStructure, "paperID", paper, "includeIndexedText", "true").data

	job := s.queue(paper, pdftest.Forever(), "")
	r := s.fails(remote.AlreadyBeingProcessed, remote.ProcessPDF, "paperID", paper, "xmlOptions", "", "base64Pdf", somePDF)
	require.Contains(t, r.words, paper)
	s.fails(remote.AlreadyBeingProcessed, remote.ReprocessPaper, "paperID", paper, "xmlOptions", "")
	s.fails(remote.Failure, remote.DeletePaper, "paperID", paper)
	require.Regexp(t, fmt.Sprintf(`<process created="2031-05-04 10:00:00" paper-id="%s" progress="\d+" job-guid="%s" />`, paper, job), s.must(remote.GetProcessingPapers).data)
	other := s.queue(s.paper(s.root(), "other"), pdftest.Text("beside"), "")
	s.completes(other)
	s.fails(remote.LicenseForbidsProcessing, remote.ReprocessPaper, "paperID", s.paper(s.root(), "third"), "xmlOptions", "")

	status, reason := s.ended(job)
	require.Equal(t, remote.JobFailed, status)
	require.Contains(t, reason, fmt.Sprint("longer than ", limit))
	require.Equal(t, before, s.must(remote.GetPaperStructure, "paperID", paper, "includeIndexedText", "true").data)
	s.keeps(4)
	tenants := testrun.Must(s.admin().Tenants())(t)
	require.EqualValues(t, 1, *tenants[0].Processings, "a failed job costs nothing")
	s.process(paper, pdftest.Text("new"), "")
	require.Equal(t, []string{"new"}, texts(s.pages(paper)))
}

// TestNewVersionComesInOneStep checks that a reader sees either the old pages or the new ones.
func TestNewVersionComesInOneStep(t *testing.T) {
	t.Parallel()
	s := start(t)
	paper := s.paper(s.root(), "spring")
	version := func(n int) []byte {
		return pdftest.Text(slices.Repeat([]string{fmt.Sprint("version ", n)}, 3+n)...)
	}
	s.process(paper, version(0), "")
	for n := 1; n < 3; n++ {
		job := s.queue(paper, version(n), "")
		for done := false; !done; {
			done = s.must(remote.GetProcessingStatus, "jobGuid", job).element(t, "ProcessStatus") != string(remote.JobPending)
			pages := texts(s.pages(paper))
			require.Len(t, slices.Compact(slices.Clone(pages)), 1)
			require.Contains(t, []string{fmt.Sprint("version ", n-1), fmt.Sprint("version ", n)}, pages[0])
			require.Len(t, pages, 3+int(pages[0][len(pages[0])-1]-'0'))
		}
		require.Equal(t, fmt.Sprint("version ", n), s.pages(paper)[0].Text)
	}
}

// TestPDFsOfSeveralPapersAtOnce checks that all are processed, two at a time.
func TestPDFsOfSeveralPapersAtOnce(t *testing.T) {
	t.Parallel()
	s := start(t)
	jobs := map[string]string{}
	for n := range 6 {
		paper := s.paper(s.root(), fmt.Sprint("p", n))
		jobs[paper] = s.queue(paper, pdftest.Text(fmt.Sprint("text ", n)), "")
	}
	for paper, job := range jobs {
		s.completes(job)
		require.Len(t, s.pages(paper), 1)
	}
}

// TestQueueGoesOnAfterARestart checks that a restart does not count as an attempt for queued and
// running jobs.
func TestQueueGoesOnAfterARestart(t *testing.T) {
	testrun.Long(t, "computes pages that never end until their time is over")
	t.Parallel()
	limit := 3 * time.Second // of processor time
	s := start(t, func(o *service.Options) { o.PDFLimits = pdf.Limits{Page: limit} })
	root := s.root()
	var jobs []string
	for n := range 2 {
		jobs = append(jobs, s.queue(s.paper(root, fmt.Sprint("stuck", n)), pdftest.Forever(), ""))
	}
	paper := s.paper(root, "waiting")
	waiting := s.queue(paper, pdftest.Text("waited"), "")
	for range 5 {
		s.reopen()
	}
	for _, job := range jobs {
		status, reason := s.ended(job)
		require.Equal(t, remote.JobFailed, status)
		require.Contains(t, reason, fmt.Sprint("longer than ", limit))
	}
	s.completes(waiting)
	require.Equal(t, []string{"waited"}, texts(s.pages(paper)))
}

// TestWaitingJobsSurviveARestart checks that jobs that nothing has begun are processed after a restart.
func TestWaitingJobsSurviveARestart(t *testing.T) {
	t.Parallel()
	s := start(t, func(o *service.Options) { o.PDFJobs = -1 })
	paper := s.paper(s.root(), "waiting")
	first, second := s.queue(paper, pdftest.Text("first"), ""), s.queue(s.paper(s.root(), "other"), pdftest.Text("second"), "")
	s.reopen()
	require.Contains(t, s.must(remote.GetProcessingStatus, "jobGuid", first).data, "Pending")
	s.options.PDFJobs = 1
	s.reopen()
	for _, job := range []string{first, second} {
		s.completes(job)
	}
	require.Equal(t, []string{"first"}, texts(s.pages(paper)))
}
