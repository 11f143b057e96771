package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"paperfs/remote/promtext"
)

// Metrics count what the service does, for its operator.
type Metrics struct {
	Registry *prometheus.Registry
	Requests *prometheus.CounterVec
	Seconds  *prometheus.HistogramVec
	Sent     prometheus.Counter
	Received prometheus.Counter
	UnderWay prometheus.Gauge
	Limited  prometheus.Counter
	database *prometheus.HistogramVec
}

// New returns metrics that are zero.
func New() *Metrics {
	m := &Metrics{
		Registry: prometheus.NewRegistry(),
		Requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "paperfs_service_requests_total",
			Help: "Requests answered, by operation (empty for pages and files) and result code, else HTTP status."}, []string{"operation", "code"}),
		Seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "paperfs_service_request_seconds",
			Help: "How long requests took, body and answer included.", Buckets: prometheus.ExponentialBuckets(0.001, 4, 9)}, []string{"operation"}),
		Sent:     prometheus.NewCounter(prometheus.CounterOpts{Name: "paperfs_service_sent_bytes_total", Help: "Bytes of answers."}),
		Received: prometheus.NewCounter(prometheus.CounterOpts{Name: "paperfs_service_received_bytes_total", Help: "Bytes of request bodies, as far as they were read."}),
		UnderWay: prometheus.NewGauge(prometheus.GaugeOpts{Name: "paperfs_service_requests_under_way", Help: "Requests being answered now."}),
		Limited:  prometheus.NewCounter(prometheus.CounterOpts{Name: "paperfs_service_limited_total", Help: "Requests refused because of the limit of an account (--rpm) or of an address (--address-requests)."}),
		database: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "paperfs_service_database_seconds",
			Help:    "Duration of database transactions: reads, writes (with the wait for earlier writes, the work in the transaction and the disk), and the look-up of the caller.",
			Buckets: prometheus.ExponentialBuckets(0.0001, 4, 9)}, []string{"transaction"}),
	}
	m.Registry.MustRegister(m.Requests, m.Seconds, m.Sent, m.Received, m.UnderWay, m.Limited, m.database)
	return m
}

// Text returns all metrics in the text format of Prometheus.
func (m *Metrics) Text() ([]byte, error) { return promtext.Of(m.Registry) }
