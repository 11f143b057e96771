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
		text, err := s.metrics.text()
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
	return s.store.Ready(ctx)
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
	if c.s.store.Damaged() != nil {
		damaged = 1
	}
	send(damagedDesc, damaged)
	ready := 0.0
	if c.s.ready(context.Background()) == nil {
		ready = 1
	}
	send(readyDesc, ready)
	if backlog, err := c.s.backlog(); err == nil {
		running := c.s.queue.Running()
		send(queuedDesc, float64(running), "running")
		send(queuedDesc, float64(max(backlog.Jobs-max(backlog.UnderWay, running), 0)), "waiting") // other nodes may be processing some
		oldest := 0.0
		if backlog.Jobs > 0 {
			oldest = max(oldest, c.s.now().Sub(backlog.Oldest).Seconds())
		}
		send(oldestDesc, oldest)
	}
	if c.s.options.Apart == nil { // PostgreSQL has metrics of its own
		send(databaseDesc, float64(databaseSize(c.s.options.Data)))
	}
	if k, ok := c.s.contents.(keeper); ok {
		send(stuckDesc, float64(k.Stuck()))
	}
	var disk unix.Statfs_t
	if unix.Statfs(c.s.options.Data, &disk) == nil {
		send(freeDesc, float64(disk.Bavail)*float64(disk.Bsize))
	}
}

func (s *Service) backlog() (b store.Backlog, err error) {
	err = s.store.Read(context.Background(), func(tx store.Reader) error {
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

// metrics count what the service does, for its operator.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	sent     prometheus.Counter
	received prometheus.Counter
	underWay prometheus.Gauge
	limited  prometheus.Counter
	database *prometheus.HistogramVec
}

// newMetrics returns metrics that are zero.
func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "paperfs_service_requests_total",
			Help: "Requests answered, by operation (empty for pages and files) and result code, else HTTP status."}, []string{"operation", "code"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "paperfs_service_request_seconds",
			Help: "How long requests took, body and answer included.", Buckets: prometheus.ExponentialBuckets(0.001, 4, 9)}, []string{"operation"}),
		sent:     prometheus.NewCounter(prometheus.CounterOpts{Name: "paperfs_service_sent_bytes_total", Help: "Bytes of answers."}),
		received: prometheus.NewCounter(prometheus.CounterOpts{Name: "paperfs_service_received_bytes_total", Help: "Bytes of request bodies, as far as they were read."}),
		underWay: prometheus.NewGauge(prometheus.GaugeOpts{Name: "paperfs_service_requests_under_way", Help: "Requests being answered now."}),
		limited:  prometheus.NewCounter(prometheus.CounterOpts{Name: "paperfs_service_limited_total", Help: "Requests refused because of the limit of an account (--rpm) or of an address (--address-requests)."}),
		database: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "paperfs_service_database_seconds",
			Help:    "Duration of database transactions: reads, writes (with the wait for earlier writes, the work in the transaction and the disk), and the look-up of the caller.",
			Buckets: prometheus.ExponentialBuckets(0.0001, 4, 9)}, []string{"transaction"}),
	}
	m.registry.MustRegister(m.requests, m.seconds, m.sent, m.received, m.underWay, m.limited, m.database)
	return m
}

// text returns all metrics in the text format of Prometheus.
func (m *metrics) text() ([]byte, error) { return promtext.Of(m.registry) }

// timedStore measures how long the transactions of a store take.
type timedStore struct {
	store.Store
	read, write, caller prometheus.Observer
}

// timed returns a store whose transactions are measured.
func (m *metrics) timed(inner store.Store) *timedStore {
	of := m.database.WithLabelValues
	return &timedStore{Store: inner, read: of("read"), write: of("write"), caller: of("caller")}
}

func since(o prometheus.Observer, began time.Time) { o.Observe(time.Since(began).Seconds()) }

// Read implements store.Store.
func (s *timedStore) Read(ctx context.Context, f func(store.Reader) error) error {
	defer since(s.read, time.Now())
	return s.Store.Read(ctx, f)
}

// Write implements store.Store.
func (s *timedStore) Write(ctx context.Context, tenant int64, f func(store.Writer) error) error {
	defer since(s.write, time.Now())
	return s.Store.Write(ctx, tenant, f)
}

// Caller implements store.Store.
func (s *timedStore) Caller(ctx context.Context, host, account string) (store.Caller, error) {
	defer since(s.caller, time.Now())
	return s.Store.Caller(ctx, host, account)
}
