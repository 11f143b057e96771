package fullcopy

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// TestASourceThatRots damages the source after the copy. The target still counts as a copy,
// because it is compared with the records.
func TestASourceThatRots(t *testing.T) {
	t.Parallel()
	from, dir := files(t)
	holdings, _ := filledContents(t, from)
	to := objects(t)
	testrun.Must(CopyContent(t.Context(), holdings, from, to, ContentOptions{}))(t)
	at := func(h store.Holding) string { return filepath.Join(dir, h.Key[:2], h.Key) }
	require.NoError(t, os.WriteFile(at(holdings[1]), make([]byte, 9<<20), 0o600))
	require.NoError(t, os.Truncate(at(holdings[5]), 7))
	require.NoError(t, os.Remove(at(holdings[6])))
	for _, verify := range []bool{false, true} {
		r := testrun.Must(CopyContent(t.Context(), holdings, from, to, ContentOptions{Verify: verify}))(t)
		require.Equal(t, ContentReport{There: 6, Missing: []string{}, Wrong: []string{}}, r)
	}
	// The record of page images has only their key.
	require.NoError(t, os.WriteFile(at(holdings[4]), make([]byte, 100_000), 0o600))
	_, err := CopyContent(t.Context(), holdings, from, to, ContentOptions{Verify: true})
	require.ErrorContains(t, err, "file 3 is not the same in the source and in the target, and its record does not say which is right")
	require.NoError(t, os.Truncate(at(holdings[4]), 99))
	_, err = CopyContent(t.Context(), holdings, from, to, ContentOptions{})
	require.ErrorContains(t, err, "file 3 has 99 bytes in the source and 100000 in the target, and its record does not say which is right")
}

// TestATargetThatRots checks that the error names the target.
func TestATargetThatRots(t *testing.T) {
	t.Parallel()
	from, _ := files(t)
	holdings, _ := filledContents(t, from)
	to, dir := files(t)
	testrun.Must(CopyContent(t.Context(), holdings, from, to, ContentOptions{}))(t)
	damaged := holdings[1]
	require.NoError(t, os.WriteFile(filepath.Join(dir, damaged.Key[:2], damaged.Key), make([]byte, 9<<20), 0o600))
	_, err := CopyContent(t.Context(), holdings, from, to, ContentOptions{})
	require.NoError(t, err, "without Verify, content is not read")
	_, err = CopyContent(t.Context(), holdings, from, to, ContentOptions{Verify: true})
	require.ErrorContains(t, err, "the content of file 0 in the target: its SHA-256 does not match its record")
}

// failing is a target whose contents cannot be read, or written.
type failing struct {
	Target
	read, write error
}

type failingReader struct {
	io.ReadSeekCloser
	err error
}

func (r failingReader) Read([]byte) (int, error) { return 0, r.err }

type failingDraft struct {
	store.Draft
	err error
}

func (d failingDraft) Write([]byte) (int, error) { return 0, d.err }

func (f failing) Open(ctx context.Context, key string, from, length int64) (io.ReadSeekCloser, error) {
	r, err := f.Target.Open(ctx, key, from, length)
	if f.read != nil {
		return failingReader{r, f.read}, err
	}
	return r, err
}

func (f failing) CreateAs(ctx context.Context, key string) (store.Draft, error) {
	d, err := f.Target.CreateAs(ctx, key)
	if f.write != nil {
		return failingDraft{d, f.write}, err
	}
	return d, err
}

// TestAFailedCopyNamesTheSideThatFailed checks that the error says which side failed.
func TestAFailedCopyNamesTheSideThatFailed(t *testing.T) {
	t.Parallel()
	from, _ := files(t)
	holdings, _ := filledContents(t, from)
	to, _ := files(t)
	no := errors.New("no")
	one := holdings[1:2]
	_, err := CopyContent(t.Context(), one, failing{Target: from, read: no}, to, ContentOptions{})
	require.EqualError(t, err, "the content of file 0 in the source: no")
	_, err = CopyContent(t.Context(), one, from, failing{Target: to, write: no}, ContentOptions{})
	require.EqualError(t, err, "the content of file 0 in the target: no")
	_, err = CopyContent(t.Context(), one, from, failing{Target: to, read: no}, ContentOptions{Verify: true})
	require.EqualError(t, err, "the content of file 0 in the target: no")
}
