package control

import (
	"github.com/prometheus/client_golang/prometheus"

	"paperfs/remote/promtext"
)

// Metrics returns a status in the text format of Prometheus.
func Metrics(s Status) ([]byte, error) {
	registry := prometheus.NewRegistry()
	if err := registry.Register(statusCollector{s}); err != nil {
		return nil, err
	}
	return promtext.Of(registry)
}

// statusCollector converts one status to metrics.
type statusCollector struct{ s Status }

var (
	infoDesc       = prometheus.NewDesc("paperfs_info", "Constant 1, labelled with the version.", []string{"version"}, nil)
	mountedDesc    = prometheus.NewDesc("paperfs_mounted_timestamp_seconds", "When the mount was made.", nil, nil)
	requestsDesc   = prometheus.NewDesc("paperfs_requests_total", "Requests to the service.", []string{"operation"}, nil)
	failedDesc     = prometheus.NewDesc("paperfs_request_failures_total", "Calls of the service that failed.", nil, nil)
	heldBackDesc   = prometheus.NewDesc("paperfs_requests_held_back_total", "Calls that failed without a request, for the limit or because the service was away.", nil, nil)
	sentDesc       = prometheus.NewDesc("paperfs_sent_bytes_total", "Bytes sent to the service.", nil, nil)
	receivedDesc   = prometheus.NewDesc("paperfs_received_bytes_total", "Bytes received from the service.", nil, nil)
	usedDesc       = prometheus.NewDesc("paperfs_budget_used", "Requests of the last minute.", nil, nil)
	limitDesc      = prometheus.NewDesc("paperfs_budget_limit", "Requests allowed a minute, 0 for no limit.", nil, nil)
	waitingDesc    = prometheus.NewDesc("paperfs_budget_waiting", "Calls that wait for the limit, by class.", []string{"class"}, nil)
	nextDesc       = prometheus.NewDesc("paperfs_budget_next_seconds", "In how many seconds the next call may begin.", nil, nil)
	awayDesc       = prometheus.NewDesc("paperfs_service_away", "Whether the service is known to be away.", nil, nil)
	nodesDesc      = prometheus.NewDesc("paperfs_tree_nodes", "Categories and papers.", nil, nil)
	fetchedDesc    = prometheus.NewDesc("paperfs_tree_fetched_timestamp_seconds", "When the service was asked for the tree that is shown.", nil, nil)
	mediaDesc      = prometheus.NewDesc("paperfs_media_names", "Files and other names in media/ and failed/, by state.", []string{"state"}, nil)
	unpublishedDsc = prometheus.NewDesc("paperfs_unpublished_bytes", "Bytes that are on this machine only.", nil, nil)
	failuresDesc   = prometheus.NewDesc("paperfs_failures_total", "Operations on the mount that failed.", nil, nil)
)

// Describe sends nothing: the registry then checks what Collect sends.
func (statusCollector) Describe(chan<- *prometheus.Desc) {}

func (c statusCollector) Collect(ch chan<- prometheus.Metric) {
	send := func(d *prometheus.Desc, kind prometheus.ValueType, value float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, kind, value, labels...)
	}
	s := c.s
	send(infoDesc, prometheus.GaugeValue, 1, s.Version)
	send(mountedDesc, prometheus.GaugeValue, float64(s.Since.Unix()))
	for operation, n := range s.Requests.ByOperation {
		send(requestsDesc, prometheus.CounterValue, float64(n), operation)
	}
	send(failedDesc, prometheus.CounterValue, float64(s.Requests.Failed))
	send(heldBackDesc, prometheus.CounterValue, float64(s.Requests.HeldBack))
	send(sentDesc, prometheus.CounterValue, float64(s.Requests.Sent))
	send(receivedDesc, prometheus.CounterValue, float64(s.Requests.Received))
	send(usedDesc, prometheus.GaugeValue, float64(s.Requests.Used))
	send(limitDesc, prometheus.GaugeValue, float64(s.Requests.Limit))
	send(waitingDesc, prometheus.GaugeValue, float64(s.Requests.Waiting), "interactive")
	send(waitingDesc, prometheus.GaugeValue, float64(s.Requests.WaitingBackground), "background")
	send(waitingDesc, prometheus.GaugeValue, float64(s.Requests.Repeating), "repeating")
	send(nextDesc, prometheus.GaugeValue, s.Requests.NextIn)
	away := 0.0
	if s.Service.AwaySince != nil {
		away = 1
	}
	send(awayDesc, prometheus.GaugeValue, away)
	send(nodesDesc, prometheus.GaugeValue, float64(s.Tree.Nodes))
	if s.Tree.Fetched != nil {
		send(fetchedDesc, prometheus.GaugeValue, float64(s.Tree.Fetched.Unix()))
	}
	for state, n := range map[string]int{
		"published": s.Media.Published, "local": s.Media.Local, "writing": s.Media.Writing,
		"pending": s.Media.Pending, "failed": s.Media.Failed,
	} {
		send(mediaDesc, prometheus.GaugeValue, float64(n), state)
	}
	send(unpublishedDsc, prometheus.GaugeValue, float64(s.Media.Unpublished))
	send(failuresDesc, prometheus.CounterValue, float64(s.Failures))
}
