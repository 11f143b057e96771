package reading

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

func TestMain(m *testing.M) {
	testrun.Checks(20)
	// A short run leaves out those that move more than 100 MiB.
	testrun.ShortWithout("TestAStreamThatEndedForAnotherGoesOn", "TestAtMostEightStreams")
	testrun.Main(m)
}

// fakeService has one file, and faults.
type fakeService struct {
	mu      sync.Mutex
	content []byte
	sum     string // of content

	noRanges, noTags, weak, noSize bool
	lieSize                        int64 // added to the size that answers tell
	sameTag                        bool  // the tag does not change with the content
	breakAfter                     int64 // an answer ends with an error after so many bytes; 0: never
	refuse                         error
	flip                           int64                     // the byte of the content that is wrong in answers; -1: none
	pace                           func(at int64) error      // before each read of an answer; runs without mu
	hold                           func(ctx context.Context) // before an answer

	requests, bytes, open atomic.Int64
}

func serving(content []byte) *fakeService {
	return &fakeService{content: content, sum: sumOf(content), flip: -1}
}

func (f *fakeService) tagLocked() string {
	switch {
	case f.noTags || f.weak:
		return ""
	case f.sameTag:
		return `"same"`
	}
	return `"` + f.sum + `"`
}

func (f *fakeService) set(change func(*fakeService)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f)
}

func (f *fakeService) Download(ctx context.Context, _ string, part remote.Part) (*remote.Received, error) {
	f.requests.Add(1)
	f.mu.Lock()
	hold := f.hold
	f.mu.Unlock()
	if hold != nil {
		hold(ctx)
	}
	if ctx.Err() != nil {
		return nil, &remote.Error{Kind: remote.Cancelled, Err: ctx.Err()}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.refuse != nil {
		return nil, f.refuse
	}
	if part.Tag != "" && part.Tag != f.tagLocked() {
		return nil, &remote.Error{Kind: remote.Superseded}
	}
	size := int64(len(f.content))
	a := &answer{service: f, ctx: ctx, content: f.content, at: min(part.From, size), to: size, flip: f.flip, pace: f.pace, left: f.breakAfter, breaks: f.breakAfter > 0}
	ranges := !f.noRanges && (part.From > 0 || part.To > 0)
	if ranges && part.To > 0 {
		a.to = min(size, part.To)
	}
	f.open.Add(1)
	r := &remote.Received{ReadCloser: a, Size: size + f.lieSize, Tag: f.tagLocked(), Ranges: ranges}
	if f.noSize && !ranges {
		r.Size = -1
	}
	return r, nil
}

type answer struct {
	service *fakeService
	ctx     context.Context
	content []byte
	at, to  int64
	flip    int64
	left    int64
	breaks  bool
	pace    func(int64) error
	closed  bool
}

func (a *answer) Read(p []byte) (int, error) {
	if a.ctx.Err() != nil {
		return 0, &remote.Error{Kind: remote.Cancelled, Err: a.ctx.Err()}
	}
	if a.at >= a.to {
		return 0, io.EOF
	}
	if a.pace != nil {
		if err := a.pace(a.at); err != nil {
			return 0, err
		}
	}
	if a.breaks {
		if a.left <= 0 {
			return 0, &remote.Error{Kind: remote.Broken}
		}
		p = p[:min(int64(len(p)), a.left)]
	}
	n := copy(p, a.content[a.at:a.to])
	if a.flip >= a.at && a.flip < a.at+int64(n) {
		p[a.flip-a.at] ^= 4
	}
	a.at += int64(n)
	a.left -= int64(n)
	a.service.bytes.Add(int64(n))
	return n, nil
}

func (a *answer) Close() error {
	if !a.closed {
		a.closed = true
		a.service.open.Add(-1)
	}
	return nil
}

// fakeKeeper keeps files in a directory, of which room bytes can be used.
type fakeKeeper struct {
	dir     string
	noFiles bool
	slow    chan struct{} // Create waits until it is closed; nil: it does not wait
	keeps   func()        // is called at the begin of Keep; nil: nothing is

	mu   sync.Mutex
	room int64
	kept map[string]string
}

func keeping(t testing.TB, room int64) *fakeKeeper {
	return &fakeKeeper{dir: t.TempDir(), room: room, kept: make(map[string]string)}
}

func (k *fakeKeeper) Find(sum string) (*os.File, func(), error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	path, ok := k.kept[sum]
	if !ok {
		return nil, nil, os.ErrNotExist
	}
	f, err := os.Open(path)
	return f, func() {}, err
}

func (k *fakeKeeper) Create() (*os.File, error) {
	if k.slow != nil {
		<-k.slow
	}
	if k.noFiles {
		return nil, errors.New("a read-only cache")
	}
	return os.CreateTemp(k.dir, "part")
}

func (k *fakeKeeper) Take(n int64) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if n > k.room {
		return false
	}
	k.room -= n
	return true
}

func (k *fakeKeeper) Give(n int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.room += n
}

func (k *fakeKeeper) Keep(f *os.File, sum string, taken int64) (func(), error) {
	if k.keeps != nil {
		k.keeps()
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	path := filepath.Join(k.dir, sum)
	if err := os.Rename(f.Name(), path); err != nil {
		return nil, err
	}
	k.kept[sum] = path
	k.room += taken
	return func() {}, nil
}

func (k *fakeKeeper) whole(sum string) []byte {
	k.mu.Lock()
	defer k.mu.Unlock()
	data, err := os.ReadFile(k.kept[sum])
	if err != nil {
		return nil
	}
	return data
}

// largest is the size of the largest file in the tests, and seeds how many versions they tell apart.
const largest, seeds = 100 * mib, 256

// randomBytes is made once for all tests: the race detector notes each byte that is written.
var randomBytes = sync.OnceValue(func() []byte {
	data := make([]byte, largest+seeds*blockSize)
	_, _ = rand.NewChaCha8([32]byte{}).Read(data)
	return data
})

// noise returns size bytes of which no two blocks are alike. They must not be changed. In the noise of
// another seed no block is the same as the one at the same place here.
func noise(size int, seed uint64) []byte {
	return slices.Clip(randomBytes()[seed*blockSize:][:size])
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func versionOf(data []byte) Version {
	return Version{Address: "a", Size: int64(len(data)), Most: -1, SHA256: sumOf(data)}
}

// pooled creates a pool that ends with the test.
func pooled(t testing.TB, f Service, k Keeper) *Pool {
	p := NewPool(f, k)
	t.Cleanup(p.Close)
	return p
}

// opened is an open as the kernel does it.
func opened(t testing.TB, p *Pool, v Version) *Source {
	s := p.Open(v)
	require.NoError(t, s.Begin(t.Context()))
	return s
}

// read reads as a program does, in pieces like those of the kernel.
func read(s *Source, from, to int64) ([]byte, error) {
	var got []byte
	for at := from; at < to; {
		got = slices.Grow(got, int(min(blockSize, to-at)))
		piece := got[len(got):][:min(blockSize, to-at)]
		n, ok := s.ReadHere(piece, at)
		var err error
		if !ok {
			n, err = s.ReadAt(context.Background(), piece, at)
		}
		got = got[:len(got)+n]
		at += int64(n)
		if err == io.EOF {
			return got, nil
		}
		if err != nil {
			return got, err
		}
	}
	return got, nil
}

func requireRead(t testing.TB, s *Source, content []byte, from, to int64) {
	t.Helper()
	got, err := read(s, from, to)
	require.NoError(t, err)
	require.True(t, bytes.Equal(content[from:min(to, int64(len(content)))], got), "other bytes than the file has")
}

func eventually(t testing.TB, is func() bool) {
	t.Helper()
	require.Eventually(t, is, testrun.Patience(), time.Millisecond)
}
