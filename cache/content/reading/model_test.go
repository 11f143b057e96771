package reading

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/remote"
)

// TestReadersGetTheirVersionOrAnError reads at random, from one or more places at once, while the
// service replaces the content, forgets ranges and tags, lies about sizes, breaks answers off,
// gives nothing, or refuses; while signals end reads, files are closed and opened, and room goes.
// Each read gives the bytes of one version, or an error: that of the first answer which told a
// version or brought a block. A replacement that the mount has not seen before is found by the sum.
func TestReadersGetTheirVersionOrAnError(t *testing.T) {
	t.Parallel()
	var versions [][]byte
	for i, size := range []int{3*mib + 77, 3*mib + 77, 9 * mib, 100, blockSize} {
		versions = append(versions, noise(size, uint64(100+i)))
	}
	rapid.Check(t, func(rt *rapid.T) {
		room := rapid.SampledFrom([]int64{0, blockSize, 2 * mib, 1 << 30}).Draw(rt, "room")
		f, k := serving(versions[0]), keeping(t, room)
		p := NewPool(f, k)
		m := &model{f: f, p: p, k: k, content: versions[0]}
		m.s = p.Open(m.version(rt))
		rt.Repeat(map[string]func(*rapid.T){
			"read":  m.read,
			"reads": func(rt *rapid.T) { m.reads(rt, rapid.IntRange(2, 4).Draw(rt, "readers")) },
			"replace": func(rt *rapid.T) {
				replace(f, versions[rapid.IntRange(0, len(versions)-1).Draw(rt, "version")])
				m.first()
			},
			"look": func(rt *rapid.T) { // the mount sees the newest version
				m.s.Supersede()
				m.s.Release()
				m.content = f.content
				m.s, m.truths, m.lied = p.Open(m.version(rt)), nil, false
			},
			"close and open": func(rt *rapid.T) {
				m.s.Release()
				if !m.s.Reopen() {
					m.s, m.truths, m.lied = p.Open(m.version(rt)), nil, false
				}
				m.first()
				_ = m.s.Begin(context.Background())
			},
			"fault": func(rt *rapid.T) { m.fault(rt) },
			"sound": func(*rapid.T) {
				f.set(func(f *fakeService) {
					f.noRanges, f.noTags, f.noSize, f.lieSize, f.breakAfter, f.refuse = false, false, false, 0, 0, nil
				})
			},
			"evict": func(rt *rapid.T) { p.Evict(rapid.Int64Range(0, 4*mib).Draw(rt, "bytes")) },
			"":      func(rt *rapid.T) { checkPool(rt, p, k, room) },
		})
		m.s.Release()
		p.Close()
		require.Equal(rt, room, k.room)
		require.Zero(rt, p.memory)
		require.Zero(rt, f.open.Load())
		for sum := range k.kept {
			require.Equal(rt, sum, sumOf(k.whole(sum)))
		}
	})
}

type model struct {
	f       *fakeService
	p       *Pool
	k       *fakeKeeper
	s       *Source
	content []byte // of the version that is open
	sized   bool   // its size was known at the open
	lied    bool   // the service may have told another size

	mu     sync.Mutex // guards truths
	truths [][]byte   // what the version may be, as far as reads have told
}

func (m *model) version(rt *rapid.T) Version {
	v := versionOf(m.content)
	if m.sized = !rapid.Bool().Draw(rt, "size unknown"); !m.sized {
		v.Size = -1
	}
	return v
}

// first notes what the first answer may give. One that a signal has left under way gives what the
// service has now, or had before.
func (m *model) first() {
	m.p.mu.Lock()
	defer m.p.mu.Unlock()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lied = m.lied || m.f.lieSize != 0
	switch {
	case m.s.kept:
		m.truths = [][]byte{m.content}
	case len(m.truths) == 0, m.s.tag == "" && len(m.s.sums) == 0:
		if m.truths = append(m.truths, m.f.content); m.sized {
			m.truths = append(m.truths, m.content) // an answer may tell neither a size nor bytes
		}
	}
}

// told reports whether bytes at an offset are those of a version that all reads so far allow.
func (m *model) told(piece []byte, at int64) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.truths = slices.DeleteFunc(m.truths, func(c []byte) bool {
		return at+int64(len(piece)) > int64(len(c)) || !bytes.Equal(piece, c[at:at+int64(len(piece))])
	})
	return len(m.truths) > 0
}

// ends reports whether the version may end at an offset.
func (m *model) ends(at int64) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.lied || slices.ContainsFunc(m.truths, func(c []byte) bool { return at >= int64(len(c)) })
}

func (m *model) read(rt *rapid.T) { m.reads(rt, 1) }

func (m *model) reads(rt *rapid.T, readers int) {
	m.first()
	size := int64(len(m.content))
	var wg sync.WaitGroup
	for range readers {
		from := rapid.Int64Range(0, size).Draw(rt, "from")
		to := rapid.OneOf(rapid.Int64Range(from, size+10), rapid.Just(min(from+4096, size))).Draw(rt, "to")
		interrupted := rapid.IntRange(0, 5).Draw(rt, "interrupted") == 0
		wg.Go(func() {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			if interrupted {
				go func() {
					for range rand.IntN(3000) {
						_ = ctx.Err()
					}
					cancel()
				}()
			}
			m.readOne(rt, ctx, from, to)
		})
	}
	wg.Wait()
}

func (m *model) readOne(rt *rapid.T, ctx context.Context, from, to int64) {
	for at := from; at < to; {
		piece := make([]byte, min(blockSize, to-at))
		n, err := m.s.ReadAt(ctx, piece, at)
		if n > 0 && !m.told(piece[:n], at) {
			rt.Errorf("other bytes at %d", at)
			return
		}
		if err == io.EOF {
			if !m.ends(at + int64(n)) {
				rt.Errorf("an early end at %d", at)
			}
			return
		}
		if err != nil {
			return
		}
		at += int64(n)
	}
}

func (m *model) fault(rt *rapid.T) {
	kind := rapid.SampledFrom([]string{"ranges", "tags", "size", "lie", "break", "refuse"}).Draw(rt, "kind")
	number := rapid.Int64Range(-mib, mib).Draw(rt, "number")
	m.f.set(func(f *fakeService) {
		switch kind {
		case "ranges":
			f.noRanges = true
		case "tags":
			f.noTags = true
		case "size":
			f.noSize = true
		case "lie":
			f.lieSize = max(number, -int64(len(f.content)))
		case "break":
			f.breakAfter = max(number, 1)
		case "refuse":
			f.refuse = &remote.Error{Kind: remote.Unreachable, Err: errors.New("away")}
		}
	})
}

// checkPool checks what must hold at any time.
func checkPool(rt *rapid.T, p *Pool, k *fakeKeeper, room int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	listed, memory, disk := 0, int64(0), int64(0)
	for s := range p.sources {
		if s.kept && len(s.blocks) > 0 {
			rt.Errorf("a whole file has blocks")
		}
		if s.kept && !s.begun {
			rt.Errorf("an open of a whole file waits for an answer")
		}
		for i, b := range s.blocks {
			if b.number != i || b.source != s {
				rt.Errorf("block %d is another's", i)
			}
			if (b.entry != nil) != (b.pins == 0 && !s.keeping) {
				rt.Errorf("block %d: %d pins, listed: %v", i, b.pins, b.entry != nil)
			}
			if b.entry != nil {
				listed++
			}
			if b.memory {
				memory++
			} else if !s.keeping { // its room goes over to the keeper
				disk++
			}
		}
		if s.given.count > 0 && s.version.SHA256 != "" && s.given.count == blocksOf(s.size) && !s.verified && s.err == nil {
			rt.Errorf("all was given out, and not judged")
		}
	}
	if n := p.blocks[0].Len() + p.blocks[1].Len() + p.blocks[2].Len() + p.blocks[3].Len(); n != listed {
		rt.Errorf("%d blocks are listed, and %d known", n, listed)
	}
	if memory > p.memory || p.memory > mostMemory || len(p.streams) > mostStreams {
		rt.Errorf("%d blocks in memory, counted %d; %d streams", memory, p.memory, len(p.streams))
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if taken := (room - k.room) / blockSize; taken < disk+p.spare {
		rt.Errorf("room for %d blocks is taken, and %d are used", taken, disk+p.spare)
	}
}
