package admin

import (
	"context"
	"crypto/sha256"
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/kit/storetest"
	"paperfs/remote/service/s3store"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// library is a tenant's files in an object store.
type library struct {
	t       *testing.T
	records *sqlitestore.Store
	objects *s3store.Store
	server  *enginetest.ObjectStore
	address string
}

func newLibrary(t *testing.T) *library {
	server := enginetest.SharedObjectStore(t)
	l := &library{t: t, server: server, address: server.Address(t)}
	var err error
	l.records, err = sqlitestore.Open(t.Context(), filepath.Join(t.TempDir(), "service.db"))
	require.NoError(t, err)
	l.records.ExternalContent = true
	p, err := s3store.ParsePlace(l.address)
	require.NoError(t, err)
	l.objects, err = s3store.New(p, l.records)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, errors.Join(l.objects.Close(), l.records.Close())) })
	l.change(func(tx store.Writer) error {
		_, err := tx.AddTenant(store.Tenant{Name: "a", RootURL: "/"})
		return err
	})
	return l
}

func (l *library) change(f func(tx store.Writer) error) {
	l.t.Helper()
	require.NoError(l.t, l.records.Write(context.Background(), store.AllTenants, f))
}

// add adds a file whose record has the given size and digest.
func (l *library) add(name string, content []byte, size int64, sum [32]byte) (key string) {
	l.t.Helper()
	key = storetest.WriteContent(l.t, l.objects, content)
	l.change(func(tx store.Writer) error {
		_, err := tx.AddFile(1, store.File{Name: name, Size: size, SHA256: sum, Content: key})
		return errors.Join(err, tx.KeepContent(key))
	})
	return key
}

func (l *library) check(deep bool) *CheckReport {
	l.t.Helper()
	return testrun.Must(CheckApart(l.t.Context(), l.records, l.objects, CheckOptions{Deep: deep}))(l.t)
}

func TestCheckOfAnObjectStore(t *testing.T) {
	l := newLibrary(t)
	content := storetest.Bytes(1, 300_000)
	sum := sha256.Sum256(content)
	for _, name := range []string{"a", "b", "c"} {
		l.add(name, content, 300_000, sum)
	}
	storetest.WriteContent(t, l.objects, content) // has no record yet
	r := l.check(true)
	require.True(t, r.Sound(), "%+v", r)
	require.Equal(t, 3, r.Contents)

	l.add("short", content, 300_001, sum)
	l.add("other", content, 300_000, [32]byte{1})
	r = l.check(false)
	require.Equal(t, []string{"media file 4 (short): 300000 bytes, but its record says 300001"}, r.Wrong)
	r = l.check(true)
	require.ElementsMatch(t, []string{"media file 4 (short): 300000 bytes, but its record says 300001", "media file 5 (other): its SHA-256 does not match its record"}, r.Wrong)
	require.Empty(t, r.Missing)
	require.Empty(t, r.Faults)
}

// TestCheckOfALedger checks that the check reports content that is lost, named but not kept,
// and kept but not named.
func TestCheckOfALedger(t *testing.T) {
	l := newLibrary(t)
	lost, stray, dropped := uuid.NewString(), uuid.NewString(), l.add("dropped", []byte("x"), 1, sha256.Sum256([]byte("x")))
	for _, key := range []string{lost, stray} {
		require.NoError(t, l.records.Intend(t.Context(), key))
	}
	l.change(func(tx store.Writer) error {
		_, err := tx.AddFile(1, store.File{Name: "lost", Size: 1, Content: lost})
		return errors.Join(err, tx.KeepContent(lost), tx.KeepContent(stray), tx.DropContent(dropped))
	})
	r := l.check(false)
	require.Equal(t, []string{"media file 2 (lost)"}, r.Missing)
	require.ElementsMatch(t, []string{
		"content " + dropped + " is named by a record, but not marked as kept",
		"content " + stray + " is marked as kept, but no record names it",
	}, r.Faults)
}

// TestACheckThatIsEnded checks that a cancelled check returns no result.
func TestACheckThatIsEnded(t *testing.T) {
	l := newLibrary(t)
	l.add("a", []byte("x"), 1, sha256.Sum256([]byte("x")))
	ctx, end := context.WithCancel(t.Context())
	end()
	_, err := CheckApart(ctx, l.records, l.objects, CheckOptions{})
	require.ErrorIs(t, err, context.Canceled)
}
