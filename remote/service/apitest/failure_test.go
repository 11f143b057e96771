package apitest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// brokenStore fails in the middle of a walk.
type brokenStore struct {
	store.Store
	after  atomic.Int64 // nodes before the failure
	panics atomic.Bool
}

func (b *brokenStore) Read(ctx context.Context, f func(store.Reader) error) error {
	return b.Store.Read(ctx, func(tx store.Reader) error { return f(&brokenReader{tx, b}) })
}

type brokenReader struct {
	store.Reader
	store *brokenStore
}

func (b *brokenReader) Walk(id int64, visit func(store.Node, int) error) error {
	left := b.store.after.Load()
	return b.Reader.Walk(id, func(n store.Node, depth int) error {
		if left--; left < 0 && b.store.panics.Load() {
			panic("bay 8")
		}
		if left < 0 {
			return errors.New("the disk in bay 7 is gone")
		}
		return visit(n, depth)
	})
}

func TestFailureInside(t *testing.T) {
	t.Parallel()
	var log logBuffer
	s := start(t, func(o *service.Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	root := s.root()
	for i := range 600 {
		s.paper(root, fmt.Sprintf("a-paper-with-quite-a-long-name-%d", i))
	}
	broken := &brokenStore{}
	broken.after.Store(3)
	s.wrapStore(func(real store.Store) store.Store { broken.Store = real; return broken })

	r := s.fails(remote.Failure, remote.GetAllPapers, "paperID", root)
	require.NotContains(t, r.body, "bay 7")
	require.Contains(t, log.String(), "bay 7")
	require.False(t, r.has, "the answer must not contain half a tree")

	form := s.credentials(remote.GetAllPapers)
	form.Set("paperID", root)
	broken.after.Store(550) // by then, the service has sent its buffer
	resp, err := http.PostForm(s.http.URL+remote.GetAllPapers.Path(), form)
	if err == nil {
		_, err = io.ReadAll(resp.Body)
		resp.Body.Close()
	}
	require.Error(t, err, "a truncated answer must not look complete")

	broken.after.Store(3)
	broken.panics.Store(true)
	r = s.call(remote.GetAllPapers, "paperID", root)
	require.Equal(t, http.StatusInternalServerError, r.status)
	require.Equal(t, "The service failed.\r\n", r.body)
	require.Contains(t, log.String(), "bay 8")
	s.must(remote.GetPaperUrlFromID, "paperID", root)
}

// lateStore calls before just before each change.
type lateStore struct {
	store.Store
	before func()
}

func (l *lateStore) Write(ctx context.Context, tenant int64, f func(store.Writer) error) error {
	l.before()
	return l.Store.Write(ctx, tenant, f)
}

func TestWindowThatOpensDuringAnUpload(t *testing.T) {
	t.Parallel()
	s := start(t)
	administrator := s.admin()
	s.wrapStore(func(real store.Store) store.Store {
		return &lateStore{real, func() { assert.NoError(t, administrator.SetReadOnly(true)) }}
	})
	s.fails(remote.ReadOnly, remote.UploadFile, "parentID", "0", "name", "f", "base64File", "aGk=")
	require.Zero(t, s.contents())
	require.False(t, s.must(remote.GetTree).has)
}

func TestDiskFull(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	s.upload("0", "f", "old")
	s.fillDisk()
	login := s.credentials(remote.UploadFile).Encode() + "&parentID=0&name=f"
	for _, size := range []int{4, 1 << 20} { // one is detected at the end, the other on the way
		content := "base64File=" + strings.Repeat("A", size)
		for _, body := range []string{login + "&" + content, content + "&" + login} {
			r := s.raw(remote.UploadFile, body)
			require.Equal(t, remote.Failure, r.code)
			require.Contains(t, r.words, "no space")
			require.Equal(t, `<full what="disk"/>`, strings.ReplaceAll(r.data, " />", "/>"))
		}
	}
	require.Equal(t, "old", s.get(s.must(remote.GetTree).attribute(t, "url")).body)
	require.Equal(t, 1, s.contents())
}

func TestBodyThatEndsEarly(t *testing.T) {
	t.Parallel()
	s := start(t)
	conn := testrun.Must(net.Dial("tcp", s.http.Listener.Addr().String()))(t)
	defer conn.Close()
	form := s.credentials(remote.UploadFile).Encode() + "&parentID=0&name=a&base64File=QUJD"
	_, err := fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s", remote.UploadFile.Path(), len(form)+1, form)
	require.NoError(t, err)
	require.NoError(t, conn.(*net.TCPConn).CloseWrite())
	require.Contains(t, string(testrun.Must(io.ReadAll(conn))(t)), "HTTP/1.1 400")
	require.False(t, s.must(remote.GetTree).has)
	require.Zero(t, s.contents())
}

// TestRaces checks that, of many concurrent calls for the same address or name, one succeeds.
func TestRaces(t *testing.T) {
	t.Parallel()
	s := start(t)
	root := s.root()
	race := func(op *remote.Operation, pairs ...string) int {
		var group sync.WaitGroup
		var mu sync.Mutex
		won := 0
		for range 8 {
			group.Go(func() {
				r := s.call(op, pairs...)
				mu.Lock()
				defer mu.Unlock()
				if r.code == remote.Success {
					won++
				}
			})
		}
		group.Wait()
		return won
	}
	require.Equal(t, 1, race(remote.CreateCategory, "parentID", root, "name", "n", "urlName", "n"))
	require.Equal(t, 1, race(remote.CreateDirectory, "parentID", "0", "name", "n"))
	require.Equal(t, 8, race(remote.UploadFile, "parentID", "0", "name", "f", "base64File", "aGk="))
	require.Equal(t, 1, s.contents())
	paper := s.paper(root, "p")
	require.Equal(t, 1, race(remote.DeletePaper, "paperID", paper))
}
