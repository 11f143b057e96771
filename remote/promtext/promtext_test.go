package promtext

import (
	"errors"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestMetricsAreTextThatPrometheusReads checks the form, and that names and values come back.
func TestMetricsAreTextThatPrometheusReads(t *testing.T) {
	registry := prometheus.NewRegistry()
	calls := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "calls_total", Help: "Calls."}, []string{"code"})
	registry.MustRegister(calls)
	calls.WithLabelValues("a\"b\\c\nd").Add(3)
	text := testrun.Must(Of(registry))(t)
	require.Equal(t, "# HELP calls_total Calls.\n# TYPE calls_total counter\ncalls_total{code=\"a\\\"b\\\\c\\nd\"} 3\n", string(text))
	require.True(t, strings.HasPrefix(ContentType, "text/plain"), ContentType)

	parser := expfmt.NewTextParser(model.UTF8Validation)
	families := testrun.Must(parser.TextToMetricFamilies(strings.NewReader(string(text))))(t)
	require.Equal(t, "a\"b\\c\nd", families["calls_total"].Metric[0].Label[0].GetValue())
}

// TestMetricsThatCannotBeGathered checks that half a page is never returned.
func TestMetricsThatCannotBeGathered(t *testing.T) {
	registry := prometheus.NewRegistry()
	registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "good"}, func() float64 { return 1 }), broken{})
	text, err := Of(registry)
	require.ErrorContains(t, err, "no value")
	require.Empty(t, text)
}

var errNone = errors.New("no value")

type broken struct{}

var description = prometheus.NewDesc("broken", "", nil, nil)

func (broken) Describe(all chan<- *prometheus.Desc) { all <- description }

func (broken) Collect(all chan<- prometheus.Metric) {
	all <- prometheus.NewInvalidMetric(description, errNone)
}
