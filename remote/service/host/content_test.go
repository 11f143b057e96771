package host

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// content has as many bytes as its length, and counts how many were read. It calls at with the
// position of each read, and returns its error.
type content struct {
	data   []byte
	at     func(offset int64) error
	finish func() error
	read   atomic.Int64
	opened atomic.Int64
	closed atomic.Int64
	sent   atomic.Int64
}

func letters(n int) *content { return &content{data: bytes.Repeat([]byte("a+&=/%\xff"), n/7+1)[:n]} }

func (c *content) Size() int64 { return int64(len(c.data)) }
func (c *content) Open() (io.ReadCloser, error) {
	c.opened.Add(1)
	return &contentReader{c, bytes.NewReader(c.data), c.opened.Load()}, nil
}
func (c *content) Sending(sent int64) { c.sent.Store(sent) }
func (c *content) Finish() error {
	if c.finish != nil {
		return c.finish()
	}
	return nil
}

type contentReader struct {
	of *content
	*bytes.Reader
	number int64
}

func (r *contentReader) Read(p []byte) (int, error) {
	if r.number > 1 && r.of.at != nil { // the first reading measures the size
		if err := r.of.at(r.Size() - int64(r.Len())); err != nil {
			return 0, err
		}
	}
	n, err := r.Reader.Read(p)
	if r.number > 1 {
		r.of.read.Add(int64(n))
	}
	return n, err
}

func (r *contentReader) Close() error {
	r.of.closed.Add(1)
	return nil
}

func TestUploadsArriveAsTheyAre(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, e running, o remote.Options) {
		c := client(t, o)
		var wait sync.WaitGroup
		for _, size := range []int{0, 1, 1000, 96<<10 - 1, 96 << 10, 96<<10 + 1, 1<<20 + 5, 3 << 20} {
			wait.Go(func() {
				data := letters(size)
				up := testrun.Must(c.UploadFile(t.Context(), 0, fmt.Sprint(size), data))(t)
				sum := sha256.Sum256(data.data)
				require.Equal(t, hex.EncodeToString(sum[:]), up.SHA256)
				require.EqualValues(t, size, data.sent.Load(), "the upload reports the sent bytes")
			})
		}
		wait.Wait()
		tree := testrun.Must(c.GetTree(t.Context()))(t)
		require.Len(t, tree.Files, 8)
		for _, f := range tree.Files {
			size := testrun.Must(strconv.Atoi(f.Name))(t)
			sum := sha256.Sum256(letters(size).data)
			require.Equal(t, hex.EncodeToString(sum[:]), f.SHA256)
			body := testrun.Must(c.Download(t.Context(), f.URL, remote.Part{}))(t)
			got := testrun.Must(io.ReadAll(body))(t)
			require.NoError(t, body.Close())
			require.True(t, bytes.Equal(letters(size).data, got))
		}
		require.Equal(t, c.Stats().BytesSent, received(t, e))

		before, data := received(t, e), letters(1<<20)
		testrun.Must(c.UploadFile(t.Context(), 0, "one more", data))(t)
		require.Less(t, received(t, e)-before, int64(1<<20+1000), "content goes raw")
	})
}

func TestAnUploadThatIsGivenUpIsNoFile(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, _ running, o remote.Options) {
		c := client(t, o)
		ctx, cancel := context.WithCancel(t.Context())
		require.Empty(t, names(t, c)) // now content goes raw, in one pass
		data := letters(large)
		data.at = func(offset int64) error {
			if offset > large/2 {
				cancel()
			}
			return nil
		}
		_, err := c.UploadFile(ctx, 0, "given up", data)
		require.Equal(t, remote.Cancelled, kindOf(t, err))
		var e *remote.Error
		require.ErrorAs(t, err, &e)
		require.True(t, e.Ambiguous)
		require.Eventually(t, func() bool { return data.closed.Load() == data.opened.Load() }, testrun.Patience(), time.Millisecond)
		require.Empty(t, names(t, c))
	})
}

// onDisk is content that offers a file; nil: none.
type onDisk struct {
	*content
	file *os.File
}

func (c onDisk) File() *os.File { return c.file }

// TestContentThatFailsIsNoFile checks that also of content with a file, whose SHA-256 the service does not compute.
func TestContentThatFailsIsNoFile(t *testing.T) {
	t.Parallel()
	failed := errors.New("an unreadable sector")
	for name, spoil := range map[string]func(c *content){
		"unreadable": func(c *content) {
			c.at = func(offset int64) error {
				if offset > c.Size()/2 {
					return failed
				}
				return nil
			}
		},
		"no end": func(c *content) { c.finish = func() error { return failed } },
		"other bytes": func(c *content) {
			c.at = func(offset int64) error {
				c.data[c.Size()-1] = 'x'
				return nil
			}
		},
	} {
		bothWays(t, func(t *testing.T, _ running, o remote.Options) {
			c := client(t, o)
			whole := testrun.Must(os.Create(filepath.Join(t.TempDir(), "whole")))(t)
			defer whole.Close()
			testrun.Must(whole.Write(letters(3 << 20).data))(t)
			for _, file := range []*os.File{nil, whole} {
				data := letters(3 << 20)
				spoil(data)
				_, err := c.UploadFile(t.Context(), 0, "spoilt", onDisk{data, file})
				require.Equal(t, remote.Local, kindOf(t, err), name)
				require.True(t, errors.Is(err, failed) || errors.Is(err, remote.ErrChanged), "%v", err)
				require.Empty(t, names(t, c))
				require.Equal(t, data.opened.Load(), data.closed.Load())
			}
		})
	}
}
