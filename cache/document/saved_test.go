package document

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// readAll reads one of each kind of answer that is saved.
func (f *fixture) readAll(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	for _, text := range []bool{false, true} {
		body, err := f.Structure(ctx, 5, text)
		require.NoError(t, err)
		require.NotEmpty(t, body)
		pages, err := f.Pages(ctx, 5)
		require.NoError(t, err)
		require.Len(t, pages, 2)
	}
	text, err := f.PageText(ctx, 5, 2)
	require.NoError(t, err)
	require.Equal(t, "Text of page 2", text)
	links, err := f.Links(ctx, 5)
	require.NoError(t, err)
	require.Equal(t, "<root />", string(links))
	orders, err := f.Orders(ctx, 5, "CheckoutBySms")
	require.NoError(t, err)
	require.Equal(t, "<flipbooks>CheckoutBySms</flipbooks>", string(orders))
	value, err := f.Setting(ctx, 5, "iconPdf")
	require.NoError(t, err)
	require.Equal(t, "false", value)
	_, err = f.Field(ctx, 5, "Season")
	require.NoError(t, err)
	fields, err := f.Fields(ctx)
	require.NoError(t, err)
	require.Equal(t, []remote.Field{{Name: "Season", Type: "string"}}, fields)
	_, err = f.SearchPapers(ctx, 1, "query")
	require.NoError(t, err)
	_, err = f.SearchPages(ctx, 1, "query")
	require.NoError(t, err)
}

func TestAnswersAreKeptBetweenMountsWithTheirAge(t *testing.T) {
	f := newFixture(t)
	f.readAll(t)
	f.now = f.now.Add(30 * time.Second)
	f.remount(t, "")
	f.expectCalls(t, 0, func() { f.readAll(t) })

	f.now = f.now.Add(31 * time.Second)
	f.remount(t, "")
	f.expectCalls(t, 0, func() {
		_, err := f.Settings(t.Context())
		require.NoError(t, err)
		_, err = f.Fields(t.Context())
		require.NoError(t, err)
	})
	f.expectCalls(t, 1, func() {
		_, err := f.Links(t.Context(), 5)
		require.NoError(t, err)
	})

	f.service.err = &remote.Error{Kind: remote.Unreachable}
	f.now = f.now.Add(time.Hour / 2)
	f.remount(t, "")
	body, err := f.Structure(t.Context(), 5, false)
	require.NoError(t, err, "a stale answer is better than none while the service is unreachable")
	require.NotEmpty(t, body)
}

// TestSavedAnswersAreBounded checks that the file has the same limit as the memory: the least
// recently used answers are dropped first, also after a remount, which keeps the order.
func TestSavedAnswersAreBounded(t *testing.T) {
	f := newFixture(t)
	f.bytes = 20 << 10
	f.remount(t, "")
	read := func(ids ...int64) {
		for _, id := range ids {
			_, err := f.Structure(t.Context(), id, true)
			require.NoError(t, err)
		}
	}
	for id := range int64(100) {
		read(1+id, 1)
		f.now = f.now.Add(time.Millisecond)
	}
	f.remount(t, "")
	info, err := os.Stat(f.saved)
	require.NoError(t, err)
	require.Less(t, info.Size(), f.bytes)
	require.Greater(t, info.Size(), f.bytes/4)
	f.expectCalls(t, 0, func() { read(1, 99, 100, 1) })
	f.expectCalls(t, 1, func() { read(2) })
	f.bytes = 2 << 10
	f.remount(t, "")
	f.remount(t, "")
	f.expectCalls(t, 0, func() { read(2) })
	f.expectCalls(t, 1, func() { read(100) })
	info, err = os.Stat(f.saved)
	require.NoError(t, err)
	require.Less(t, info.Size(), f.bytes)
}

func TestSavedAnswersArePrivate(t *testing.T) {
	f := newFixture(t)
	f.readAll(t)
	require.NoError(t, f.Close())
	info, err := os.Stat(f.saved)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode())
	entries, err := os.ReadDir(filepath.Dir(f.saved))
	require.NoError(t, err)
	require.Len(t, entries, 1, "temporary files are left")
}

func TestBrokenSavedAnswersAreIgnored(t *testing.T) {
	f := newFixture(t)
	_, err := f.Links(t.Context(), 5)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	whole, err := os.ReadFile(f.saved)
	require.NoError(t, err)
	broken := map[string][]byte{"empty": nil, "cut": whole[:len(whole)-1], "longer": append(whole[:len(whole):len(whole)], 'x')}
	for i := range whole {
		flipped := append([]byte(nil), whole...)
		flipped[i] ^= 0x81
		broken[fmt.Sprintf("byte %d flipped", i)] = flipped
	}
	for name, content := range broken {
		require.NoError(t, os.WriteFile(f.saved, content, 0o600))
		answers, err := readSaved(f.saved)
		assert.Error(t, err, name)
		assert.Empty(t, answers, name)
	}
	f.remount(t, "")
	f.expectCalls(t, 1, func() {
		_, err := f.Links(t.Context(), 5)
		require.NoError(t, err)
	})
}

// TestOwnWritesTakeBackWhatIsSaved checks that a saved answer never hides a later local write,
// even after a crash.
func TestOwnWritesTakeBackWhatIsSaved(t *testing.T) {
	f := newFixture(t)
	f.readAll(t)
	f.remount(t, "")
	require.FileExists(t, f.saved)
	require.NoError(t, f.SetSetting(t.Context(), 5, "iconPdf", "true"))
	answers, err := readSaved(f.saved)
	if err == nil {
		for _, a := range answers {
			require.NotEqual(t, DocSetting, a.doc)
		}
	}
}

func FuzzReadSaved(f *testing.F) {
	path := filepath.Join(f.TempDir(), "saved")
	require.NoError(f, writeSaved(path, []answer{{key{DocLinks, 5, "a"}, entry{[]byte("<root/>"), 1, time.Unix(9, 0), 0, false}}}))
	whole, err := os.ReadFile(path)
	require.NoError(f, err)
	f.Add(whole)
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(t.TempDir(), "saved")
		require.NoError(t, os.WriteFile(path, content, 0o600))
		answers, err := readSaved(path)
		if err != nil {
			require.Empty(t, answers)
		}
	})
}
