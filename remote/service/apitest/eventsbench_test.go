package apitest

import (
	"context"
	"net/http"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

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
