package apitest

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// BenchmarkCrowd lets many ask at once, and reports the times of another tenant's small calls meanwhile, and how much more
// memory the process had at its peak, with the database's. The crowd's side is bare connections.
func BenchmarkCrowd(b *testing.B) {
	for _, crowd := range []struct {
		name string
		many int
		ends bool // each is answered at once
		call func(s *server, i int) string
	}{
		{"held=2000", 2000, false, func(s *server, _ int) string {
			form := s.credentials(remote.Wait)
			form.Set("seconds", "55")
			form.Set("after", s.mark())
			return remote.Wait.Path() + "?" + form.Encode()
		}},
		{"wrong=1000", 1000, true, func(s *server, i int) string {
			form := s.as(s.user, fmt.Sprint("wrong", i)).credentials(remote.GetTree)
			return remote.GetTree.Path() + "?" + form.Encode()
		}},
		{"strangers=1000", 1000, true, func(s *server, i int) string {
			form := s.as(fmt.Sprint("nobody", i), "wrong").credentials(remote.GetTree)
			return remote.GetTree.Path() + "?" + form.Encode()
		}},
	} {
		b.Run(crowd.name, func(b *testing.B) {
			var times []time.Duration
			var memory int64
			for b.Loop() {
				b.StopTimer()
				s := start(b)
				theirs := s.tenantNamed("other")
				var calls []string
				for i := range crowd.many {
					if calls == nil || crowd.ends {
						calls = append(calls, crowd.call(s, i))
					}
				}
				debug.FreeOSMemory()
				before := resident(b, "VmRSS")
				require.NoError(b, os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)) // the peak begins anew
				b.StartTimer()
				took := meanwhile(b, theirs, func() func() { return pressed(b, s, calls, crowd.many, crowd.ends) })
				b.StopTimer()
				memory = max(memory, resident(b, "VmHWM")-before)
				times = append(times, took...)
				s.close()
				b.StartTimer()
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)*99/100].Microseconds())/1000, "p99-ms")
			b.ReportMetric(float64(times[len(times)-1].Microseconds())/1000, "max-ms")
			b.ReportMetric(float64(memory)/(1<<20), "MiB")
			b.ReportMetric(float64(len(times))/float64(b.N), "calls")
		})
	}
}

// meanwhile makes small calls one after another until a crowd was there for two seconds.
func meanwhile(b *testing.B, s *server, crowd func() (leave func())) (times []time.Duration) {
	root := s.root()
	s.must(remote.GetPaperUrlFromID, "paperID", root)
	var over atomic.Bool
	leave := make(chan func(), 1)
	go func() {
		leave <- crowd()
		time.Sleep(2 * time.Second)
		over.Store(true)
	}()
	for !over.Load() {
		began := time.Now()
		s.must(remote.GetPaperUrlFromID, "paperID", root)
		times = append(times, time.Since(began))
	}
	(<-leave)()
	return times
}

// pressed sends calls at once, each on a connection of its own, and waits until they are held or answered.
func pressed(b *testing.B, s *server, calls []string, many int, ends bool) (leave func()) {
	all := make([]net.Conn, many)
	var sent sync.WaitGroup
	at := s.http.Listener.Addr().String()
	for i := range all {
		sent.Go(func() {
			c, err := net.Dial("tcp", at)
			if err != nil {
				b.Error(err)
				return
			}
			all[i] = c
			fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", calls[i%len(calls)])
			if ends {
				if _, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil {
					b.Error(err)
				}
			}
		})
	}
	sent.Wait()
	for !ends && s.inside().Followers() < 1000 {
		time.Sleep(time.Millisecond)
	}
	return func() {
		for _, c := range all {
			c.Close()
		}
	}
}

// resident returns the memory of the process now (VmRSS), or at its peak (VmHWM).
func resident(b *testing.B, which string) int64 {
	text := testrun.Must(os.ReadFile("/proc/self/status"))(b)
	n := testrun.Must(strconv.ParseInt(regexp.MustCompile(which + `:\s+(\d+) kB`).FindStringSubmatch(string(text))[1], 10, 64))(b)
	return n << 10
}
