package apitest

import (
	"encoding/base64"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/store"
)

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
