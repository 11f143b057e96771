package media

import (
	"context"
	rand "math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// measures makes the service use the measure, as the client does.
func (f *fixture) measures() (last func() *remote.Measure) {
	var m atomic.Pointer[remote.Measure]
	f.service.tell(func(s *fakeService) { s.sees = func(c remote.Content) { m.Store(c.(remote.Measured).Measure()) } })
	return m.Load
}

// TestAFileIsMeasuredWhileItIsWritten checks that the store measures a file while a program
// writes it, as long as the file only grows.
func TestAFileIsMeasuredWhileItIsWritten(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	last := f.measures()
	data := make([]byte, 1<<20+1)
	random := rand.NewChaCha8([32]byte{1})
	random.Read(data)
	_, h, err := f.store.Create(Root, "a", New{Mode: 0o644})
	require.NoError(t, err)
	write := func(p []byte, off int64) {
		_, err := h.WriteAt(p, off)
		require.NoError(t, err)
	}
	flush := func() *remote.Measure {
		require.NoError(t, h.Flush(ctx))
		f.published("a", string(data))
		return last()
	}
	measure := func() *remote.Measure {
		var m remote.Measure
		m.Write(data)
		return &m
	}
	for at := 0; at < len(data); at += 100_000 {
		write(data[at:min(at+100_000, len(data))], int64(at))
	}
	require.Equal(t, measure().SHA256(), flush().SHA256())

	data = append(data, "and more"...)
	write([]byte("and more"), int64(len(data)-8))
	require.Equal(t, measure().SHA256(), flush().SHA256())

	copy(data[7:], "other")
	write([]byte("other"), 7)
	require.Nil(t, flush(), "the measure is stale after an overwrite")

	require.NoError(t, h.Truncate(0))
	write(data, 0)
	require.Equal(t, measure().SHA256(), flush().SHA256())
	h.Release()
}

// TestTheQueueReadsOnce checks that the queue reads measured content only once.
func TestTheQueueReadsOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack)
	last := f.measures()
	data := make([]byte, 300_000)
	_, err := f.create(Root, "a", string(data))
	require.NoError(t, err)
	f.drain()
	f.published("a", string(data))
	var m remote.Measure
	m.Write(data)
	require.Equal(t, m.SHA256(), last().SHA256())
}

// TestTheNextMountReadsOnce checks that the next mount reads queued content only once if a row
// has its measure.
func TestTheNextMountReadsOnce(t *testing.T) {
	t.Parallel()
	f, papers := withPapers(t, writingBack)
	last := f.measures()
	f.service.goAway(unreachable)
	papers.goAway(unreachable)
	data := make([]byte, 300_000)
	_, err := f.create(Root, "a", string(data))
	require.NoError(t, err)
	require.NoError(t, f.put(string(data)))
	f.reopen()
	f.service.goAway(nil)
	f.reopen() // twice: a rewritten row has the measure, too
	f.eventually(func() bool { _, there := f.service.at("a"); return there })
	var m remote.Measure
	m.Write(data)
	require.NotNil(t, last(), "the content was read for its SHA-256")
	require.Equal(t, m.SHA256(), last().SHA256())

	measured := make(chan *remote.Measure, 1)
	papers.tell(func(p *fakePapers) {
		p.away = nil
		p.during = func(_ context.Context, _ *Sending, c remote.Content) { measured <- c.(remote.Measured).Measure() }
	})
	measure := <-measured
	require.NotNil(t, measure, "the PDF was read for its SHA-256")
	require.Equal(t, m.SHA256(), measure.SHA256())
	f.drain()
}
