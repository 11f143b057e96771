package apitest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/pdf"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// doors are the addresses at which a paper answers without credentials.
func (s *server) doors(paper, path string) (all []string) {
	s.t.Helper()
	s.must(remote.SetSetting, "paperID", paper, "setting", "iconPdf", "value", "true")
	page := s.pages(paper)[0]
	token := s.must(remote.CreatePreviewToken, "paperID", paper, "validityMinutes", "60", "ip", "").element(s.t, "token")
	at := s.http.URL + path
	id := page.ID
	layer := at + "Layer.ashx?PageID=" + fmt.Sprint(id)
	for _, address := range []string{at, at + "Download.ashx", layer, at + "?Query=one"} {
		all = append(all, address, address+map[bool]string{true: "&", false: "?"}[strings.Contains(address, "?")]+"SecurityToken="+token)
	}
	image := page.Images[0].URL
	return append(all, image, image[:strings.IndexByte(image, '?')]+"?PageID="+fmt.Sprint(id)+"&ImageType=Normal")
}

// TestADeletedPaperAnswersNobody checks each door of a paper, from the commit of its deletion on, and that
// all but the preview tokens are open again when it comes back.
func TestADeletedPaperAnswersNobody(t *testing.T) {
	t.Parallel()
	s := start(t)
	garden := s.category(s.root(), "garden")
	paper := s.paper(garden, "spring")
	s.process(paper, pdftest.Text("one", "two"), pdfOptions(""))
	doors := s.doors(paper, "/garden/spring/")
	for _, door := range doors {
		require.Equal(t, http.StatusOK, s.get(door).status, door)
	}
	require.Equal(t, http.StatusNoContent, (&stand{server: s}).hit("/garden/spring/Hit.ashx", params("pages", "1")).status)
	shelf := s.http.URL + "/garden/"
	require.Contains(t, s.get(shelf).body, "spring/")
	search := func() string {
		return s.must(remote.SearchPapersWithHiearchyByContent, "query", "one", "categoryID", s.root(), "xmlOptions", "").data
	}
	require.Contains(t, search(), "spring")
	tree, pages := s.tree(), s.pages(paper)
	used := s.used()

	s.must(remote.DeletePaper, "paperID", paper)
	for _, door := range doors {
		require.Equal(t, http.StatusNotFound, s.get(door).status, door)
	}
	view := func() int { return (&stand{server: s}).hit("/garden/spring/Hit.ashx", params("pages", "1")).status }
	require.Equal(t, http.StatusNotFound, view())
	require.NotContains(t, s.get(shelf).body, "spring/")
	require.NotContains(t, search(), "spring")
	require.NotContains(t, s.tree(), "spring")
	require.Equal(t, used.Papers-1, s.used().Papers)
	for _, c := range successes {
		for i, name := range c.op.Params {
			if (name == "paperID" || name == "paperId" || name == "sourcePaperID") && c.op.Bulk == "" {
				pairs := append([]string{}, c.pairs...)
				pairs[2*i+1] = paper
				require.NotEqual(t, remote.Success, s.call(c.op, pairs...).code, c.op.Name)
			}
		}
	}
	s.must(remote.GetLicenseOrdersByType, "checkoutType", "")

	s.must(remote.DeletePaper, "paperID", garden)
	all := s.deleted()
	require.Equal(t, []string{"deleted category /papers/garden", "deleted paper /papers/garden/spring"}, listedEntries(all))
	require.Equal(t, listedEntries(all), listedEntries(s.deleted("path", "/papers/garden")))
	back := s.must(remote.Restore, "entryID", all[1].Entry).entries(t, "restored")
	require.Equal(t, []string{garden, paper}, []string{back[0].ID, back[1].ID}, "its category comes first")
	require.Equal(t, tree, s.tree())
	require.Equal(t, used, s.used())
	require.Equal(t, pages[0].ID, s.pages(paper)[0].ID)
	require.Contains(t, search(), "spring")
	require.Contains(t, s.get(shelf).body, "spring/")
	for _, door := range doors {
		open := s.get(door).status == http.StatusOK
		require.Equal(t, !strings.Contains(door, "SecurityToken"), open, door)
	}
	s.goodRecords()
}

// goodRecords checks the records of a service whose contents are files.
func (s *server) goodRecords() {
	s.t.Helper()
	if s.place().Database() == "" {
		s.sound()
		return
	}
	require.NoError(s.t, s.place().Beside(s.t).Read(s.t.Context(), func(tx store.Reader) error {
		faults, err := tx.Faults()
		require.Empty(s.t, faults)
		return err
	}))
}

// TestDeletedPapersEnd checks what becomes of deleted papers: purged, outdated, with their tenant.
func TestDeletedPapersEnd(t *testing.T) {
	t.Parallel()
	later := clock
	s := start(t, func(o *service.Options) { o.Now = func() time.Time { return later } })
	made := func(name string) string {
		paper := s.paper(s.root(), name)
		s.process(paper, pdftest.Text(name), pdfOptions(""))
		return paper
	}
	for _, name := range []string{"purged", "outdated", "spared"} {
		s.must(remote.DeletePaper, "paperID", made(name))
	}
	s.keeps(6)
	s.must(remote.Purge, "entryID", s.deleted("path", "/papers/purged")[0].Entry)
	s.keeps(4)
	s.goodRecords()
	require.NoError(t, s.admin().ChangeTenant("default", func(t *admin.TenantSettings) error { t.Keep.Bytes = new(s.deleted()[0].Bytes); return nil }))
	require.True(t, s.inside().Purge())
	require.Equal(t, []string{"deleted paper /papers/spared"}, listedEntries(s.deleted()))
	s.keeps(2)
	s.goodRecords()
	require.NoError(t, s.admin().ChangeTenant("default", func(t *admin.TenantSettings) error { t.Keep.Days = new(int64(0)); return nil }))
	s.must(remote.DeletePaper, "paperID", made("unkept"))
	require.Len(t, s.deleted(), 1)
	s.keeps(2)
}

// TestThingsTakenAwayAreListedByTheIDOfAPaper lists and restores below papers and categories, whatever names and addresses
// they have now.
func TestThingsTakenAwayAreListedByTheIDOfAPaper(t *testing.T) {
	t.Parallel()
	s := start(t)
	garden, other := s.category(s.root(), "garden"), s.category(s.root(), "other")
	deep := s.category(garden, "deep")
	paper, gone := s.paper(deep, "spring"), s.paper(s.root(), "gone")
	for _, id := range []string{gone, paper, deep} {
		s.must(remote.DeletePaper, "paperID", id)
	}
	again := s.paper(s.category(garden, "deep"), "spring")
	s.must(remote.MovePaper, "sourcePaperID", garden, "destinationParentID", other)
	require.Empty(t, s.deleted("paperID", again), "another one had its address")
	both := []string{"deleted category /papers/other/garden/deep", "deleted paper /papers/other/garden/deep/spring"}
	for _, top := range []string{other, garden, deep} {
		require.Equal(t, both, listedEntries(s.deleted("paperID", top)))
	}
	require.Equal(t, both[1:], listedEntries(s.deleted("paperID", paper)))
	require.Len(t, s.deleted("paperID", s.root()), 3)
	require.Equal(t, remote.PaperDoesNotExist, s.call(remote.GetDeleted, "paperID", "99").code)
	require.Equal(t, remote.Failure, s.call(remote.Restore, "paperID", deep).code, "without since")
	require.Len(t, s.must(remote.Restore, "paperID", deep, "since", "2031-01-01").entries(t, "restored"), 2)
	require.Equal(t, "/other/garden/deep-2/spring/", s.must(remote.GetPaperUrlFromID, "paperID", paper).attribute(t, "url"))
	require.Len(t, s.deleted(), 1)
	s.goodRecords()
}

// TestAPaperComesBackBesideOthers restores where the address, the quota or the category is taken.
func TestAPaperComesBackBesideOthers(t *testing.T) {
	t.Parallel()
	s := start(t)
	garden := s.category(s.root(), "garden")
	paper := s.paper(garden, "spring")
	s.must(remote.DeletePaper, "paperID", paper)
	other := s.paper(garden, "SPRING")
	s.paper(garden, "spring-2")
	entry := s.deleted()[0].Entry
	s.quota(store.Quota{Papers: new(int64(2))})
	require.Contains(t, s.call(remote.Restore, "entryID", entry).data, `<full what="quota" />`)
	s.quota(store.Quota{})
	r := s.must(remote.Restore, "entryID", entry, "name", "Spring again")
	require.Contains(t, r.data, `address="/garden/spring-3/"`)
	require.Equal(t, "/garden/spring-3/", s.must(remote.GetPaperUrlFromID, "paperID", paper).attribute(t, "url"))
	require.Contains(t, s.tree(), `name="Spring again"`)
	for _, id := range []string{paper, other, s.idOf("/garden/spring-2/"), garden} {
		s.must(remote.DeletePaper, "paperID", id)
	}
	all := s.deleted()
	s.must(remote.Purge, "entryID", all[0].Entry)
	require.Equal(t, "/papers/garden/spring-2", s.deleted()[0].Path)
	restored := s.must(remote.Restore, "path", "/papers/garden", "since", "2031-01-01").entries(t, "restored")
	require.Len(t, restored, 4, "a purged category is back with what was in it")
	require.Contains(t, s.tree(), `url="/garden/spring-3/"`)

	require.NoError(t, s.admin().AddTenant(admin.TenantSettings{Name: "other", Hosts: []string{"other.example"}}))
	key := testrun.Must(s.admin().AddAccount("other", "editor", remote.Admin))(t)
	there := s.at("other.example").as("editor", key)
	gone := there.paper(there.root(), "gone")
	there.must(remote.DeletePaper, "paperID", gone)
	require.Empty(t, s.deleted())
	require.Equal(t, remote.Failure, s.call(remote.Restore, "entryID", there.deleted()[0].Entry).code)
	require.NoError(t, s.admin().RemoveTenant("other"))
	s.goodRecords()
}

// TestAReplacedPDFComesBack processes a replaced PDF again, free of the licence.
func TestAReplacedPDFComesBack(t *testing.T) {
	t.Parallel()
	s := start(t)
	require.NoError(t, s.admin().ChangeTenant("default", func(t *admin.TenantSettings) error { t.Processings = new(int64(2)); return nil }))
	paper := s.paper(s.root(), "spring")
	first, second := pdftest.Text("first"), pdftest.Text("second", "page")
	for _, pdf := range [][]byte{first, second} {
		s.process(paper, pdf, pdfOptions(""))
	}
	require.Equal(t, []string{"second", "page"}, texts(s.pages(paper)))
	all := s.deleted("path", "/papers/spring")
	require.Equal(t, []string{"replaced pdf /papers/spring"}, listedEntries(all))
	require.Equal(t, []string{s.user, paper}, []string{all[0].Account, all[0].ID})
	require.EqualValues(t, len(first), all[0].Bytes)
	require.Equal(t, string(first), s.call(remote.GetContent, "entryID", all[0].Entry).body)
	s.goodRecords()

	left := func() int64 {
		return *testrun.Must(s.admin().Tenant("default"))(t).Processings
	}
	require.Zero(t, left())
	r := s.must(remote.Restore, "path", "/papers/spring", "since", "2031-01-01")
	require.Contains(t, []remote.Code{remote.AlreadyBeingProcessed, remote.Failure}, s.call(remote.Restore, "entryID", all[0].Entry).code) // Failure where the job has ended
	s.completes(r.attribute(t, "job-guid"))
	require.Equal(t, []string{"first"}, texts(s.pages(paper)))
	require.Zero(t, left())
	now := s.deleted()
	require.Equal(t, []string{"replaced pdf /papers/spring"}, listedEntries(now))
	require.EqualValues(t, len(second), now[0].Bytes, "that which it replaced")
	s.goodRecords()

	require.Empty(t, s.must(remote.Restore, "path", "/papers/spring", "since", "2031-01-01").data, "it came by undo, which does not bring it back")

	s.must(remote.DeletePaper, "paperID", paper)
	require.Equal(t, remote.PaperDoesNotExist, s.call(remote.Restore, "entryID", now[0].Entry).code)
	require.Len(t, s.deleted(), 2)
	for _, e := range s.deleted() {
		s.must(remote.Purge, "entryID", e.Entry)
	}
	s.keeps(0)
	s.goodRecords()
}

// TestAFullDiskLeavesThePDFThatComesBack makes room while the job that brings back a PDF waits.
func TestAFullDiskLeavesThePDFThatComesBack(t *testing.T) {
	t.Parallel()
	s := start(t)
	paper := s.paper(s.root(), "spring")
	for _, text := range []string{"first", "second", "third"} {
		s.process(paper, pdftest.Text(text), "")
	}
	s.options.PDFJobs = -1
	s.reopen()
	job := s.must(remote.Restore, "path", "/papers/spring", "since", "2031-01-01").attribute(t, "job-guid")
	require.True(t, s.purgeAll())
	require.Empty(t, s.deleted())
	s.options.PDFJobs = 1
	s.reopen()
	s.completes(job)
	require.Equal(t, []string{"first"}, texts(s.pages(paper)))
	s.goodRecords()
}

// TestAReplacedPDFThatFailedToComeBackIsTriedAgain checks that a PDF whose job failed counts as one that has not come back.
func TestAReplacedPDFThatFailedToComeBackIsTriedAgain(t *testing.T) {
	t.Parallel()
	s := start(t)
	paper := s.paper(s.root(), "spring")
	s.process(paper, pdftest.Text("first"), "")
	s.process(paper, pdftest.Text("second"), "")

	s.options.PDFLimits = pdf.Limits{Text: 1}
	s.reopen()
	r := s.must(remote.Restore, "path", "/papers/spring", "since", "2031-01-01")
	status, _ := s.ended(r.attribute(t, "job-guid"))
	require.Equal(t, remote.JobFailed, status)
	require.Equal(t, []string{"second"}, texts(s.pages(paper)))

	s.options.PDFLimits = pdf.Limits{}
	s.reopen()
	r = s.must(remote.Restore, "path", "/papers/spring", "since", "2031-01-01")
	s.completes(r.attribute(t, "job-guid"))
	require.Equal(t, []string{"first"}, texts(s.pages(paper)))
	s.goodRecords()
}
