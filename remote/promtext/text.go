// Package promtext writes metrics in the text format of Prometheus.
package promtext

import (
	"bytes"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/expfmt"
)

var format = expfmt.NewFormat(expfmt.TypeTextPlain)

// ContentType is the Content-Type of the text.
var ContentType = string(format)

// Of returns the metrics of a registry.
func Of(registry prometheus.Gatherer) ([]byte, error) {
	families, err := registry.Gather()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	encoder := expfmt.NewEncoder(&b, format)
	for _, f := range families {
		if err := encoder.Encode(f); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}
