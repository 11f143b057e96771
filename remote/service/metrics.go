package service

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sys/unix"

	"paperfs/remote/service/datadir"
	"paperfs/remote/service/store"
)

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

func newMetrics(s *Service) *metrics {
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
			Help:    "How long the database took: to read and to write (waiting for writes before, all that is done in the transaction and the disk included), and to find out who calls.",
			Buckets: prometheus.ExponentialBuckets(0.0001, 4, 9)}, []string{"transaction"}),
	}
	m.registry.MustRegister(m.requests, m.seconds, m.sent, m.received, m.underWay, m.limited, m.database, stateCollector{s})
	return m
}

// count takes a request that was answered.
func (m *metrics) count(l *requestLog) {
	code := string(l.code)
	if l.status != 200 || code == "" {
		code = strconv.Itoa(l.status)
	}
	m.requests.WithLabelValues(l.op, code).Inc()
	m.seconds.WithLabelValues(l.op).Observe(time.Since(l.start).Seconds())
	m.sent.Add(float64(l.bytes))
	if l.body != nil {
		m.received.Add(float64(l.body.bytes))
	}
}

// stateCollector looks at how things stand when it is asked.
type stateCollector struct{ s *Service }

var (
	queuedDesc   = prometheus.NewDesc("paperfs_service_pdf_jobs", "PDFs by state.", []string{"state"}, nil)
	oldestDesc   = prometheus.NewDesc("paperfs_service_pdf_oldest_seconds", "Age of the oldest PDF that is not processed.", nil, nil)
	databaseDesc = prometheus.NewDesc("paperfs_service_database_bytes", "Size of the database with its log.", nil, nil)
	freeDesc     = prometheus.NewDesc("paperfs_service_disk_free_bytes", "Free space where the data lies.", nil, nil)
	readyDesc    = prometheus.NewDesc("paperfs_service_ready", "1 while the service takes requests.", nil, nil)
)

// Describe sends nothing: the registry then checks what Collect sends.
func (stateCollector) Describe(chan<- *prometheus.Desc) {}

func (c stateCollector) Collect(ch chan<- prometheus.Metric) {
	send := func(d *prometheus.Desc, value float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	ready := 0.0
	if c.s.ready(context.Background()) == nil {
		ready = 1
	}
	send(readyDesc, ready)
	if work, err := c.s.pending(); err == nil {
		running := c.s.queue.underWay()
		send(queuedDesc, float64(running), "running")
		send(queuedDesc, float64(max(len(work)-running, 0)), "waiting")
		oldest := 0.0
		for _, w := range work {
			oldest = max(oldest, c.s.now().Sub(w.Created).Seconds())
		}
		send(oldestDesc, oldest)
	}
	var size int64
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(filepath.Join(c.s.options.Data, datadir.DatabaseFile+suffix)); err == nil {
			size += info.Size()
		}
	}
	send(databaseDesc, float64(size))
	var disk unix.Statfs_t
	if unix.Statfs(c.s.options.Data, &disk) == nil {
		send(freeDesc, float64(disk.Bavail)*float64(disk.Bsize))
	}
}

func (s *Service) pending() (work []store.Work, err error) {
	err = s.store.Read(context.Background(), func(tx store.Reader) error {
		work, err = tx.AllWork()
		return err
	})
	return work, err
}

// underWay is how many jobs are being worked at.
func (q *queue) underWay() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.running)
}
