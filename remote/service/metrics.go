package service

import (
	"github.com/prometheus/client_golang/prometheus"
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
