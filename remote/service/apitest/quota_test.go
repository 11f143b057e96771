package apitest

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// quota sets the quotas of the tenant default.
func (s *server) quota(q store.Quota) {
	s.t.Helper()
	administrator := s.admin()
	settings := testrun.Must(administrator.Tenant("default"))(s.t)
	settings.Quota = q
	require.NoError(s.t, setTenant(administrator, settings))
}

func (s *server) used() store.Usage {
	s.t.Helper()
	return testrun.Must(s.admin().Tenant("default"))(s.t).Used
}

// TestRoomIsTold checks that the answers that tell of media files tell what is left of their quota, and no others do.
func TestRoomIsTold(t *testing.T) {
	t.Parallel()
	s := start(t)
	room := func(r reply) string {
		_, room, _ := strings.Cut(r.header.Get("Paperfs-Offers"), ", room=")
		return room
	}
	upload := func(name string, bytes int) reply {
		return s.call(remote.UploadFile, "parentID", "0", "name", name, "base64File", base64.StdEncoding.EncodeToString(make([]byte, bytes)))
	}
	require.Empty(t, room(upload("old", 3000)))
	require.Empty(t, room(s.call(remote.GetTree)))
	s.quota(store.Quota{MediaBytes: new(int64(10_000))})
	require.Equal(t, "7000", room(s.call(remote.GetTree)))
	require.Equal(t, "5000", room(upload("old", 5000)))
	require.Equal(t, "6000", room(upload("old", 4000)))
	require.Equal(t, "0", room(upload("new", 6000)))
	require.Empty(t, room(s.call(remote.GetAllPapers, "paperID", "1")))
	tree := s.tagged(http.MethodGet, remote.GetTree, "")
	require.Equal(t, "0", room(tree))
	s.quota(store.Quota{MediaBytes: new(int64(10_001))})
	unchanged := s.tagged(http.MethodGet, remote.GetTree, tree.header.Get("ETag"))
	require.Equal(t, http.StatusNotModified, unchanged.status)
	require.Equal(t, "1", room(unchanged))
	s.quota(store.Quota{MediaBytes: new(int64(1))}) // less than is used
	require.Equal(t, "0", room(s.call(remote.GetTree)))
}

// TestMediaQuota checks that an upload beyond the quota is an ERROR that names it, that an
// overwrite counts only the difference, and that a deletion frees its bytes.
func TestMediaQuota(t *testing.T) {
	t.Parallel()
	s := start(t)
	const most = 300_000
	s.upload("0", "old", strings.Repeat("x", 100_000))
	s.quota(store.Quota{MediaBytes: new(int64(most))})
	s.upload("0", "small", strings.Repeat("x", 50_000))
	refused := func(name string, bytes int) {
		t.Helper()
		content := base64.StdEncoding.EncodeToString(make([]byte, bytes))
		r := s.fails(remote.Failure, remote.UploadFile, "parentID", "0", "name", name, "base64File", content)
		require.Contains(t, r.words, "media quota of ")
		require.Contains(t, r.data, `<full what="quota"`)
	}
	s.upload("0", "last", strings.Repeat("x", 100_000))
	refused("new", 50_001)
	refused("new", most+1) // larger than the whole quota
	refused("old", 150_001)
	s.upload("0", "OLD", strings.Repeat("x", 150_000)) // exactly full
	refused("new", 1)
	s.upload("0", "empty", "")
	require.EqualValues(t, most, s.used().MediaBytes)

	s.quota(store.Quota{MediaBytes: new(int64(1000))}) // less than is used
	s.upload("0", "old", strings.Repeat("x", 140_000))
	refused("old", 140_001)
	s.quota(store.Quota{MediaBytes: new(int64(0))})
	content := base64.StdEncoding.EncodeToString([]byte("x"))
	s.fails(remote.Failure, remote.UploadFile, "parentID", "0", "name", "new", "base64File", content)

	s.quota(store.Quota{MediaBytes: new(int64(most))})
	tree := s.must(remote.GetTree)
	s.must(remote.DeleteFile, "fileID", tree.attribute(t, "fileid"))
	s.quota(store.Quota{})
	r := s.call(remote.UploadFile, "parentID", "0", "name", "large", "base64File", base64.StdEncoding.EncodeToString(make([]byte, most)))
	require.Equal(t, remote.Success, r.code, r.words)
	other := s.tenantNamed("other")
	other.upload("0", "file", "of another tenant")
	report := testrun.Must(s.admin().Check(t.Context(), admin.CheckOptions{}))(t)
	require.True(t, report.Sound(), "%+v", report)
}

// TestMediaQuotaOfNothing checks that no refused content stays on the disk.
func TestMediaQuotaOfNothing(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	s.quota(store.Quota{MediaBytes: new(int64(0))})
	var most atomic.Int64
	s.wrapStore(func(real store.Store) store.Store {
		return &lookStore{real, func() { most.Store(max(most.Load(), s.contentBytes())) }}
	})
	content := base64.StdEncoding.EncodeToString(make([]byte, 1<<20))
	r := s.fails(remote.Failure, remote.UploadFile, "parentID", "0", "name", "f", "base64File", content)
	require.Contains(t, r.words, "media quota of 0 bytes")
	require.Zero(t, most.Load())
	s.upload("0", "empty", "")
}

// lookStore calls before just before each read.
type lookStore struct {
	store.Store
	before func()
}

func (l *lookStore) Read(ctx context.Context, f func(store.Reader) error) error {
	l.before()
	return l.Store.Read(ctx, f)
}

// contentBytes returns the size of all contents on the disk, drafts included.
func (s *server) contentBytes() (bytes int64) {
	err := filepath.WalkDir(filepath.Join(s.data, "content"), func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && d.Name() != "id" {
			var info fs.FileInfo
			if info, err = d.Info(); err == nil {
				bytes += info.Size()
			}
		}
		if errors.Is(err, fs.ErrNotExist) { // it was just removed
			return nil
		}
		return err
	})
	assert.NoError(s.t, err)
	return bytes
}

// TestPaperQuota checks that the quota counts papers, not categories.
func TestPaperQuota(t *testing.T) {
	t.Parallel()
	s := start(t)
	root := s.root()
	first := s.paper(root, "one")
	s.quota(store.Quota{Papers: new(int64(2))})
	category := s.category(root, "catalogues")
	s.paper(category, "two")
	r := s.fails(remote.Failure, remote.CreatePaper, "parentID", root, "name", "three", "urlName", "three")
	require.Contains(t, r.words, "quota of 2 papers")
	require.Contains(t, r.data, `<full what="quota"`)
	s.category(root, "more")
	s.must(remote.MovePaper, "sourcePaperID", first, "destinationParentID", category)
	require.EqualValues(t, 2, s.used().Papers)
	s.must(remote.DeletePaper, "paperID", first)
	require.EqualValues(t, 1, s.used().Papers)
	s.paper(root, "three")
}

// TestPDFQuota checks that the time of workers counts by calendar month.
func TestPDFQuota(t *testing.T) {
	t.Parallel()
	var now atomic.Pointer[time.Time]
	now.Store(&clock)
	s := start(t, func(o *service.Options) { o.Now = func() time.Time { return *now.Load() } })
	usage := func() time.Duration { return s.pdfTime(1) }
	paper := s.paper(s.root(), "spring")
	s.process(paper, pdftest.Text("garden"), "")
	spent := usage()
	require.Positive(t, spent, "the time counts before the job ends")
	s.quota(store.Quota{PDFMinutes: new(int64(60))})
	s.process(paper, pdftest.Text("garden"), "")
	require.Greater(t, usage(), spent)

	s.addPDFTime(1, time.Hour)
	r := s.fails(remote.LicenseForbidsProcessing, remote.ProcessPDF, "paperID", paper, "xmlOptions", "", "base64Pdf", base64.StdEncoding.EncodeToString(pdftest.Text("garden")))
	require.Contains(t, r.words, "quota of 60 PDF minutes a month is used up until 2031-06-01")
	s.fails(remote.LicenseForbidsProcessing, remote.ReprocessPaper, "paperID", paper, "xmlOptions", "")

	june := time.Date(2031, 6, 1, 0, 0, 0, 0, time.UTC)
	now.Store(&june)
	require.Zero(t, usage())
	s.process(paper, pdftest.Text("a month later"), "")
}

// TestLargePDFQuota checks that no number of minutes overflows.
func TestLargePDFQuota(t *testing.T) {
	t.Parallel()
	s := start(t, func(o *service.Options) { o.PDFWorker = []string{"/bin/sleep", "1000"} })
	for _, minutes := range []int64{1, 153_722_867, 153_722_868, math.MaxInt64} {
		s.quota(store.Quota{PDFMinutes: &minutes})
		s.queue(s.paper(s.root(), fmt.Sprint("p", minutes)), pdftest.Text("one"), "")
	}
}

// meanwhile calls happens between the checks of the next change and the change itself.
func (s *server) meanwhile(happens func()) {
	var happened atomic.Bool // happens may itself make a change
	s.wrapStore(func(real store.Store) store.Store {
		return &lateStore{real, func() {
			if happened.CompareAndSwap(false, true) {
				happens()
			}
		}}
	})
}

// TestRefusedPDFLeavesNothing checks that no PDF is left if its change is refused only in the
// transaction.
func TestRefusedPDFLeavesNothing(t *testing.T) {
	t.Parallel()
	s := start(t)
	paper := s.paper(s.root(), "spring")
	s.meanwhile(func() { s.must(remote.DeletePaper, "paperID", paper) })
	s.fails(remote.PaperDoesNotExist, remote.ProcessPDF, "paperID", paper, "xmlOptions", "", "base64Pdf", somePDF)
	require.Zero(t, s.contents())

	administrator := s.admin()
	paper = s.paper(s.root(), "summer")
	s.meanwhile(func() { assert.NoError(t, administrator.SetReadOnly(true)) })
	s.fails(remote.ReadOnly, remote.ProcessPDF, "paperID", paper, "xmlOptions", "", "base64Pdf", somePDF)
	require.Zero(t, s.contents())
}

// TestQuotaThatIsSetMeanwhile checks that a new quota applies to calls under way.
func TestQuotaThatIsSetMeanwhile(t *testing.T) {
	t.Parallel()
	s := start(t)
	root, administrator := s.root(), s.admin()
	set := func(q store.Quota) func() {
		return func() {
			assert.NoError(t, administrator.ChangeTenant("default", func(t *admin.TenantSettings) error {
				t.Quota = q
				return nil
			}))
		}
	}
	s.meanwhile(set(store.Quota{MediaBytes: new(int64(1000))}))
	content := base64.StdEncoding.EncodeToString(make([]byte, 900_000))
	r := s.fails(remote.Failure, remote.UploadFile, "parentID", "0", "name", "f", "base64File", content)
	require.Contains(t, r.words, "media quota of 1000 bytes")
	require.Zero(t, s.contents())

	s.meanwhile(set(store.Quota{Papers: new(int64(0))}))
	r = s.fails(remote.Failure, remote.CreatePaper, "parentID", root, "name", "spring", "urlName", "spring")
	require.Contains(t, r.words, "quota of 0 papers")

	s.quota(store.Quota{MediaBytes: new(int64(1000))})
	s.meanwhile(set(store.Quota{}))
	s.upload("0", "f", "it is within both")
}
