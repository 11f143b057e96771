package media

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestContentThatLacksAWriteIsNotSent checks that content that lacks a write is not sent,
// whatever the same or another program writes afterwards.
func TestContentThatLacksAWriteIsNotSent(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]func(*Options){"direct": {ten}, "write-back": {ten, writingBack}} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, options...)
			known, err := f.create(Root, "known", "old")
			require.NoError(t, err)
			f.drain()
			h, err := f.store.Open(known.Ino, true)
			require.NoError(t, err)
			require.NoError(t, h.Truncate(0))
			f.appendAll(h, "12")
			_, err = h.Append(make([]byte, 11))
			require.True(t, Is(err, Full), "%v", err)
			f.appendAll(h, "3")
			other, err := f.store.Open(known.Ino, true)
			require.NoError(t, err)
			f.appendAll(other, "4")
			require.True(t, Is(other.Flush(ctx), Full), "later writes by others do not complete it")
			require.NotEqual(t, known.Ino, f.lookup(Root, "known").Ino, "the name no longer refers to it")
			require.True(t, Is(h.Flush(ctx), Full))
			other.Release()
			h.Release()
			f.drain()
			f.published("known", "old")
			require.Equal(t, 1, f.service.count("UploadFile"))
			require.Empty(t, f.store.Failed())
			require.Zero(t, f.store.Status().SpoolBytes)
		})
	}
}

// TestEmptyingEndsATorso checks that a program that writes the file from its beginning
// publishes it, although the program whose write failed still has it open.
func TestEmptyingEndsATorso(t *testing.T) {
	t.Parallel()
	f := newFixture(t, ten)
	known, err := f.create(Root, "known", "old")
	require.NoError(t, err)
	h, err := f.store.Open(known.Ino, true)
	require.NoError(t, err)
	f.appendAll(h, "12")
	_, err = h.Append(make([]byte, 11))
	require.True(t, Is(err, Full), "%v", err)

	other, err := f.store.Open(known.Ino, true)
	require.NoError(t, err)
	require.NoError(t, other.Truncate(0))
	f.writeAll(other, "new")
	require.NoError(t, other.Flush(ctx))
	f.published("known", "new")
	other.Release()

	require.True(t, Is(h.Flush(ctx), Full), "its own write is lost")
	require.NoError(t, h.Truncate(0))
	f.appendAll(h, "5")
	require.NoError(t, h.Flush(ctx))
	h.Release()
	f.published("known", "5")
	require.Empty(t, f.store.Failed())
}
