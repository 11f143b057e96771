package call

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"paperfs/remote/promtext"
	"paperfs/remote/service/store"
)

// Metrics count what the service does, for its operator.
type Metrics struct {
	Registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	sent     prometheus.Counter
	received prometheus.Counter
	underWay prometheus.Gauge
	limited  prometheus.Counter
	database *prometheus.HistogramVec
}

// newMetrics returns metrics that are zero.
func newMetrics() *Metrics {
	m := &Metrics{
		Registry: prometheus.NewRegistry(),
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
	m.Registry.MustRegister(m.requests, m.seconds, m.sent, m.received, m.underWay, m.limited, m.database)
	return m
}

// Text returns all metrics in the text format of Prometheus.
func (m *Metrics) Text() ([]byte, error) { return promtext.Of(m.Registry) }

// timedStore measures how long the transactions of a store take.
type timedStore struct {
	store.Store
	read, write, caller prometheus.Observer
}

// timed returns a store whose transactions are measured.
func (m *Metrics) timed(inner store.Store) *timedStore {
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
