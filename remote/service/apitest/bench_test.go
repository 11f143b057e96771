package apitest

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/generate"
	"paperfs/remote/testrun"
)

// grow fills the default tenant with 100,000 papers in 1,000 categories.
func grow(b *testing.B, s *server) {
	s.place().Generate(s.t, generate.Spec{Papers: 100_000, Categories: 1000, Depth: 4, Seed: 1})
}

// BenchmarkGetAllPapers requests 100,000 papers: rendered again after a change, and cached.
func BenchmarkGetAllPapers(b *testing.B) {
	s := start(b)
	grow(b, s)
	form := s.credentials(remote.GetAllPapers)
	form.Set("paperID", s.root())
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	defer client.CloseIdleConnections()
	paper := s.paper(s.root(), "changing")
	for _, changing := range []bool{true, false} {
		for _, coding := range []string{"identity", "gzip"} {
			b.Run(fmt.Sprintf("changed=%v/%s", changing, coding), func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if changing {
						b.StopTimer()
						s.must(remote.ChangePaperUrl, "paperID", paper, "newUrl", coding+strconv.Itoa(i))
						b.StartTimer()
					}
					b.SetBytes(fetch(b, client, s.http.URL+remote.GetAllPapers.Path(), form, coding))
				}
			})
		}
	}
}

// fetch reads an answer and returns its uncompressed size.
func fetch(b *testing.B, client *http.Client, address string, form url.Values, coding string) int64 {
	request := testrun.Must(http.NewRequest(http.MethodPost, address, strings.NewReader(form.Encode())))(b)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Accept-Encoding", coding)
	resp := testrun.Must(client.Do(request))(b)
	n := testrun.Must(io.Copy(io.Discard, resp.Body))(b)
	require.NoError(b, resp.Body.Close())
	if coding == "gzip" {
		require.Equal(b, "gzip", resp.Header.Get("Content-Encoding"))
		return 8 * n // a rough size: decompression would count the client's time
	}
	require.Greater(b, n, int64(9_000_000))
	return n
}

// BenchmarkMoveCategory moves a category with 50,000 papers below it, and changes its address.
func BenchmarkMoveCategory(b *testing.B) {
	s := start(b)
	s.place().Generate(s.t, generate.Spec{Papers: 50_000, Categories: 500, Depth: 4, Seed: 1})
	all := s.must(remote.GetAllPapers, "paperID", s.root())
	first := regexp.MustCompile(`<category id="(\d+)"`).FindAllStringSubmatch(all.data, 2)[1][1]
	b.Run("MovePaper", func(b *testing.B) {
		homes := []string{s.category(s.root(), "one"), s.category(s.root(), "two")}
		for i := 0; b.Loop(); i++ {
			s.must(remote.MovePaper, "sourcePaperID", first, "destinationParentID", homes[i%2])
		}
	})
	b.Run("ChangePaperUrl", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			s.must(remote.ChangePaperUrl, "paperID", first, "newUrl", "name-"+strconv.Itoa(i))
		}
	})
}

func BenchmarkGetPaperIDFromURL(b *testing.B) {
	s := start(b)
	s.paper(s.category(s.root(), "garden"), "spring")
	for b.Loop() {
		s.must(remote.GetPaperIDFromUrl, "url", "/garden/spring/")
	}
}

func BenchmarkCreatePaper(b *testing.B) {
	s := start(b)
	root := s.root()
	for i := 0; b.Loop(); i++ {
		s.paper(root, fmt.Sprint(i))
	}
}

func BenchmarkUploadFile10KiB(b *testing.B) {
	s := start(b)
	content := strings.Repeat("x", 10<<10)
	b.SetBytes(int64(len(content)))
	for i := 0; b.Loop(); i++ {
		s.upload("0", fmt.Sprint(i), content)
	}
}

// BenchmarkFormsOfATree requests the same 5,000 papers as XML and as JSON, made again after each change.
func BenchmarkFormsOfATree(b *testing.B) {
	s := start(b)
	s.place().Generate(s.t, generate.Spec{Papers: 5000, Categories: 100, Depth: 4, Seed: 1})
	paper := s.paper("1", "changing")
	form := s.credentials(remote.GetAllPapers)
	form.Set("paperID", "1")
	i := 0
	for _, accept := range []string{"text/xml", "application/json"} {
		b.Run(accept, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				i++
				s.must(remote.ChangePaperUrl, "paperID", paper, "newUrl", strconv.Itoa(i))
				b.StartTimer()
				b.SetBytes(s.drain(accept, form))
			}
		})
	}
}

// drain requests a tree, and returns its size.
func (s *server) drain(accept string, form url.Values) int64 {
	req := testrun.Must(http.NewRequest(http.MethodPost, s.http.URL+remote.GetAllPapers.Path(), strings.NewReader(form.Encode())))(s.t)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Accept", accept)
	req.Header.Set("Accept-Encoding", "identity")
	resp := testrun.Must(http.DefaultClient.Do(req))(s.t)
	defer resp.Body.Close()
	return testrun.Must(io.Copy(io.Discard, resp.Body))(s.t)
}

// BenchmarkUpload passes prepared bodies to the service without a connection.
func BenchmarkUpload(b *testing.B) {
	for _, size := range []int{10 << 10, 64 << 20} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			s := start(b)
			content := make([]byte, size)
			rand.Read(content)
			body := s.credentials(remote.UploadFile).Encode() + "&parentID=0&base64File=" + url.QueryEscape(base64.StdEncoding.EncodeToString(content)) + "&name="
			b.SetBytes(int64(size))
			for i := 0; b.Loop(); i++ {
				r := httptest.NewRequest(http.MethodPost, remote.UploadFile.Path(), strings.NewReader(body+fmt.Sprint(i%1000)))
				r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
				w := httptest.NewRecorder()
				s.service.ServeHTTP(w, r)
				require.Contains(b, w.Body.String(), "SUCCESS")
			}
		})
	}
}

// BenchmarkHeld reports what 500 held requests cost while nothing happens: bytes of memory, of client and service
// together, and the part of a processor.
func BenchmarkHeld(b *testing.B) {
	s := start(b)
	const crowd = 500
	form := s.credentials(remote.Wait)
	form.Set("after", s.mark())
	form.Set("seconds", "55")
	before := inUse()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: crowd}}
	ctx, stop := context.WithCancel(b.Context())
	var ended sync.WaitGroup
	for range crowd {
		ended.Go(func() {
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.http.URL+remote.Wait.Path()+"?"+form.Encode(), nil)
			if err != nil {
				return
			}
			if answer, err := client.Do(r); err == nil {
				answer.Body.Close()
			}
		})
	}
	require.Eventually(b, func() bool { return s.inside().Followers() == crowd }, testrun.Patience(), time.Millisecond)
	held := inUse() - before
	var from, to syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &from))
	began := time.Now()
	for b.Loop() {
		time.Sleep(time.Second)
	}
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &to))
	spent := time.Duration(to.Utime.Nano() + to.Stime.Nano() - from.Utime.Nano() - from.Stime.Nano())
	b.ReportMetric(float64(held)/(1<<20), "MiB")
	b.ReportMetric(100*spent.Seconds()/time.Since(began).Seconds(), "%processor")
	stop()
	ended.Wait()
	client.CloseIdleConnections()
}

// inUse returns the memory of the process for Go, stacks included.
func inUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse + m.StackInuse)
}
