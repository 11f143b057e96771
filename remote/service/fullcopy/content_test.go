package fullcopy

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/filestore"
	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/kit/storetest"
	"paperfs/remote/service/s3store"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

func files(t *testing.T) (*filestore.Store, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "content")
	return testrun.Must(filestore.Open(dir))(t), dir
}

func objects(t *testing.T) *s3store.Store {
	t.Helper()
	s, _ := ledgered(t)
	return s
}

// ledgered is an object store with the records that contain its ledger.
func ledgered(t *testing.T) (*s3store.Store, *sqlitestore.Store) {
	t.Helper()
	p := testrun.Must(s3store.ParsePlace(enginetest.SharedObjectStore(t).AddressBeside(t)))(t)
	ledger := testrun.Must(sqlitestore.Open(t.Context(), filepath.Join(t.TempDir(), "service.db")))(t)
	ledger.ExternalContent = true
	s := testrun.Must(s3store.New(p, ledger))(t)
	t.Cleanup(func() { require.NoError(t, errors.Join(s.Close(), ledger.Close())) })
	return s, ledger
}

// filledContents creates contents and their records; the first content is named twice.
func filledContents(t *testing.T, c store.Contents) (holdings []store.Holding, contents [][]byte) {
	t.Helper()
	for i, size := range []int{9 << 20, 0, 1, 100_000, 70_000, 300_000} {
		content := storetest.Bytes(uint64(i), size)
		sum := sha256.Sum256(content)
		h := store.Holding{Key: storetest.WriteContent(t, c, content), Size: int64(size), SHA256: &sum, What: fmt.Sprint("file ", i)}
		if i == 0 {
			holdings = append(holdings, store.Holding{Key: h.Key, Size: -1, What: "the same"})
		}
		if i == 3 {
			h.Size, h.SHA256 = -1, nil // like page images
		}
		holdings, contents = append(holdings, h), append(contents, content)
	}
	return holdings, contents
}

// TestContentThereAndBack copies from files to an object store, from there to another one, and back to
// files.
func TestContentThereAndBack(t *testing.T) {
	t.Parallel()
	first, _ := files(t)
	holdings, contents := filledContents(t, first)
	last, _ := files(t)
	places := []Target{first, objects(t), objects(t), last}
	for i, to := range places[1:] {
		var seen []int
		o := ContentOptions{Verify: true, Progress: func(done, all int) {
			require.Equal(t, 6, all)
			seen = append(seen, done)
		}}
		r := testrun.Must(CopyContent(t.Context(), holdings, places[i], to, o))(t)
		require.Equal(t, ContentReport{Copied: 6, Bytes: 9<<20 + 470_001, Missing: []string{}, Wrong: []string{}}, r)
		require.Equal(t, []int{1, 2, 3, 4, 5, 6}, seen)
		r = testrun.Must(CopyContent(t.Context(), holdings, places[i], to, ContentOptions{Verify: true}))(t)
		require.Equal(t, ContentReport{There: 6, Missing: []string{}, Wrong: []string{}}, r)
	}
	for i, h := range holdings[1:] {
		require.True(t, bytes.Equal(contents[i], storetest.ReadContent(t, last, h.Key, 0, int64(len(contents[i])))), "content keeps its key")
	}
}

// TestDamagedContentIsNotCopied checks that CopyContent reports such content instead.
func TestDamagedContentIsNotCopied(t *testing.T) {
	t.Parallel()
	from, dir := files(t)
	holdings, _ := filledContents(t, from)
	damage := func(h store.Holding, content []byte) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, h.Key[:2], h.Key), content, 0o600))
	}
	damage(holdings[1], make([]byte, 9<<20))
	damage(holdings[5], make([]byte, 69_999))
	holdings = append(holdings, store.Holding{Key: uuid.NewString(), Size: 1, What: "lost"})
	to := objects(t)
	r := testrun.Must(CopyContent(t.Context(), holdings, from, to, ContentOptions{}))(t)
	require.Equal(t, 4, r.Copied)
	require.Equal(t, []string{"lost"}, r.Missing)
	require.Equal(t, []string{"file 0: its SHA-256 does not match its record", "file 4: 69999 bytes, but its record says 70000"}, r.Wrong)
	for _, h := range []store.Holding{holdings[1], holdings[5]} {
		_, err := to.Size(t.Context(), h.Key)
		require.ErrorIs(t, err, store.ErrNotFound)
	}
}

// TestACopyGoesOn interrupts a copy in the middle of a content; the next copy continues there.
func TestACopyGoesOn(t *testing.T) {
	t.Parallel()
	from, _ := files(t)
	holdings, _ := filledContents(t, from)
	to := objects(t)
	ctx, cut := context.WithCancel(t.Context())
	r, err := CopyContent(ctx, holdings, from, to, ContentOptions{Progress: func(done, _ int) {
		if done == 2 {
			cut()
		}
	}})
	require.ErrorIs(t, err, context.Canceled)
	require.GreaterOrEqual(t, r.Copied, 2)
	again := testrun.Must(CopyContent(t.Context(), holdings, from, to, ContentOptions{Verify: true}))(t)
	require.Equal(t, 6, again.Copied+again.There)
	require.GreaterOrEqual(t, again.There, r.Copied)
}

// TestATargetOfAnotherKind checks that a target is rejected if it has different content with
// the same key.
func TestATargetOfAnotherKind(t *testing.T) {
	t.Parallel()
	from, _ := files(t)
	holdings, _ := filledContents(t, from)
	to, dir := files(t)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, holdings[0].Key[:2]), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, holdings[0].Key[:2], holdings[0].Key), []byte("another"), 0o600))
	_, err := CopyContent(t.Context(), holdings, from, to, ContentOptions{})
	require.ErrorContains(t, err, "not a copy")
}

// TestRecordsThatWereCopiedBefore copies the contents after their records, so that the ledger
// already has the contents as kept.
func TestRecordsThatWereCopiedBefore(t *testing.T) {
	t.Parallel()
	from, _ := files(t)
	holdings, contents := filledContents(t, from)
	to, records := ledgered(t)
	for _, h := range holdings {
		require.NoError(t, records.Intend(t.Context(), h.Key))
		require.NoError(t, records.Write(t.Context(), store.AllTenants, func(tx store.Writer) error { return tx.KeepContent(h.Key) }))
	}
	require.Equal(t, 6, testrun.Must(CopyContent(t.Context(), holdings, from, to, ContentOptions{Verify: true}))(t).Copied)
	require.True(t, bytes.Equal(contents[0], storetest.ReadContent(t, to, holdings[1].Key, 0, int64(len(contents[0])))))
}
