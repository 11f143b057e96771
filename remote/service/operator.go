package service

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sys/unix"

	"paperfs/remote/promtext"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/store"
)

// Operator returns the handler of an operator's requests: /healthz (200 while the
// process answers), /readyz (503 while the service should get no requests) and /metrics
// (Prometheus text). It asks for no credentials: serve it only where operators can reach
// it.
func (s *Service) Operator() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { plainLine(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		if err := s.ready(r.Context()); err != nil {
			plainLine(w, http.StatusServiceUnavailable, err.Error())
			return
		}
		plainLine(w, http.StatusOK, "ok")
	})
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		text, err := s.calls.Metrics.Text()
		if err != nil {
			plainLine(w, http.StatusInternalServerError, err.Error())
			return
		}
		w.Header().Set("Content-Type", promtext.ContentType)
		_, _ = w.Write(text) // the client may have disconnected
	})
	return mux
}

func plainLine(w http.ResponseWriter, status int, line string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(line + "\n")) // the client may have disconnected
}

const readyLimit = 5 * time.Second

// ready returns why the service should get no requests; nil if it should.
func (s *Service) ready(ctx context.Context) error {
	if s.draining.Load() {
		return errors.New("the service is shutting down")
	}
	ctx, cancel := context.WithTimeout(ctx, readyLimit)
	defer cancel()
	return s.calls.Store.Ready(ctx)
}

// stateCollector reads the state of the service when Prometheus asks for the metrics.
type stateCollector struct{ s *Service }

var (
	queuedDesc   = prometheus.NewDesc("paperfs_service_pdf_jobs", "PDFs by state.", []string{"state"}, nil)
	oldestDesc   = prometheus.NewDesc("paperfs_service_pdf_oldest_seconds", "Age of the oldest PDF that is not processed.", nil, nil)
	databaseDesc = prometheus.NewDesc("paperfs_service_database_bytes", "Size of the database with its log.", nil, nil)
	freeDesc     = prometheus.NewDesc("paperfs_service_disk_free_bytes", "Free space where the data lies.", nil, nil)
	stuckDesc    = prometheus.NewDesc("paperfs_service_content_stuck", "Contents that nobody needs and that the object store does not remove; each is tried again after an hour.", nil, nil)
	damagedDesc  = prometheus.NewDesc("paperfs_service_damaged", "1 after the database gave a damaged answer: it has to be restored.", nil, nil)
	readyDesc    = prometheus.NewDesc("paperfs_service_ready", "1 while the service takes requests.", nil, nil)
)

// Describe sends nothing: the registry then checks what Collect sends.
func (stateCollector) Describe(chan<- *prometheus.Desc) {}

func (c stateCollector) Collect(ch chan<- prometheus.Metric) {
	send := func(d *prometheus.Desc, value float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	damaged := 0.0
	if c.s.calls.Store.Damaged() != nil {
		damaged = 1
	}
	send(damagedDesc, damaged)
	ready := 0.0
	if c.s.ready(context.Background()) == nil {
		ready = 1
	}
	send(readyDesc, ready)
	if backlog, err := c.s.backlog(); err == nil {
		running := c.s.calls.Queue.Running()
		send(queuedDesc, float64(running), "running")
		send(queuedDesc, float64(max(backlog.Jobs-max(backlog.UnderWay, running), 0)), "waiting") // other nodes may be processing some
		oldest := 0.0
		if backlog.Jobs > 0 {
			oldest = max(oldest, c.s.calls.Now().Sub(backlog.Oldest).Seconds())
		}
		send(oldestDesc, oldest)
	}
	if c.s.calls.Options.Apart == nil { // PostgreSQL has metrics of its own
		send(databaseDesc, float64(databaseSize(c.s.calls.Options.Data)))
	}
	if k, ok := c.s.calls.Contents.(keeper); ok {
		send(stuckDesc, float64(k.Stuck()))
	}
	var disk unix.Statfs_t
	if unix.Statfs(c.s.calls.Options.Data, &disk) == nil {
		send(freeDesc, float64(disk.Bavail)*float64(disk.Bsize))
	}
}

func (s *Service) backlog() (b store.Backlog, err error) {
	err = s.calls.Store.Read(context.Background(), func(tx store.Reader) error {
		b, err = tx.Backlog()
		return err
	})
	return b, err
}

// databaseSize returns the size of a data directory's database, with its log.
func databaseSize(data string) (size int64) {
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(filepath.Join(data, datadir.DatabaseFile+suffix)); err == nil {
			size += info.Size()
		}
	}
	return size
}
