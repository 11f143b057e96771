package spool

import (
	"bytes"
	"io"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// read is what a reader got in all.
type read struct {
	all []byte
	err error
}

func readAll(t require.TestingT, e *Early) <-chan read {
	r, err := e.Open()
	require.NoError(t, err)
	got := make(chan read, 1)
	go func() {
		all, err := io.ReadAll(r)
		got <- read{all, err}
	}()
	return got
}

// TestAnEarlyUploadSendsTheContentOrHasNoEnd checks that a reader comes to the end exactly of content that was written in
// order, and has all of it.
func TestAnEarlyUploadSendsTheContentOrHasNoEnd(t *testing.T) {
	t.Parallel()
	place := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		s := newDir(place, 0)
		sp, err := s.Create()
		require.NoError(t, err)
		defer s.Drop(sp)
		var want []byte
		write := func(size int, off int64) {
			p := bytes.Repeat([]byte{byte(len(want))}, size)
			_, err := s.WriteAt(sp, p, off)
			require.NoError(t, err)
			want = append(want[:off], append(p, want[min(int64(len(want)), off+int64(size)):]...)...)
		}
		write(earlyKept+10, 0)
		var ended atomic.Bool // an upload that gets nothing to send for long ends in another goroutine
		e, err := sp.BeginEarly(func() bool { return false }, func() { ended.Store(true) })
		require.NoError(t, err)
		defer e.Close()
		got, inOrder := readAll(t, e), true
		for range rapid.IntRange(0, 5).Draw(t, "writes") {
			switch rapid.IntRange(0, 5).Draw(t, "kind") {
			case 0:
				write(1, rapid.Int64Range(0, int64(len(want)-1)).Draw(t, "offset"))
				inOrder = false
			case 1:
				require.NoError(t, s.Resize(sp, int64(len(want)-1)))
				want, inOrder = want[:len(want)-1], false
			default:
				write(rapid.IntRange(1, 3*earlyKept).Draw(t, "size"), int64(len(want)))
			}
		}
		require.Equal(t, inOrder, e.End(sp.Content()))
		require.Equal(t, inOrder, e.Whole())
		require.Equal(t, !inOrder, ended.Load())
		switch r := <-got; {
		case inOrder:
			require.NoError(t, r.err)
			require.True(t, bytes.Equal(want, r.all))
			require.Equal(t, int64(len(want)), e.Size())
			require.False(t, e.GiveUp(), "it is whole")
		default:
			require.ErrorIs(t, r.err, errEarlyOver)
		}
	})
}

// TestAnEarlyUploadKeepsItsLastBytes checks what a reader has before the end, that other content goes first, and that an
// upload with nothing to send ends.
func TestAnEarlyUploadKeepsItsLastBytes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newDir(t.TempDir(), 0)
		sp, err := s.Create()
		require.NoError(t, err)
		defer s.Drop(sp)
		var busy atomic.Bool
		var got atomic.Int64
		busy.Store(true)
		write := func(n int) {
			_, err := s.WriteAt(sp, make([]byte, n), sp.Size)
			require.NoError(t, err)
			synctest.Wait()
		}
		write(earlyKept + 3)
		e, err := sp.BeginEarly(busy.Load, func() {})
		require.NoError(t, err)
		defer e.Close()
		r, err := e.Open()
		require.NoError(t, err)
		ended := make(chan error, 1)
		go func() {
			for {
				n, err := r.Read(make([]byte, 2*earlyKept))
				if got.Add(int64(n)); err != nil {
					ended <- err
					return
				}
			}
		}()
		time.Sleep(earlyIdle - 1)
		synctest.Wait()
		require.Zero(t, got.Load(), "other content is being sent")
		busy.Store(false)
		e.Wake()
		synctest.Wait()
		require.EqualValues(t, 3, got.Load(), "all but the last bytes")
		for range 5 {
			time.Sleep(earlyIdle - 1)
			write(1)
		}
		require.EqualValues(t, 8, got.Load())
		time.Sleep(earlyIdle)
		require.ErrorIs(t, <-ended, errEarlyOver)
		require.False(t, e.End(sp.Content()))
	})
}
