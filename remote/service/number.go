package service

import (
	"log/slog"
	"strconv"
)

// requestNumber is the number of a request, with the node's name if there are several nodes.
type requestNumber struct {
	node string // "" = there is only one
	n    uint64
}

func (r requestNumber) String() string {
	number := strconv.FormatUint(r.n, 10)
	if r.node == "" {
		return number
	}
	return r.node + "-" + number
}

// LogValue implements slog.LogValuer.
func (r requestNumber) LogValue() slog.Value {
	if r.node == "" {
		return slog.Uint64Value(r.n)
	}
	return slog.StringValue(r.String())
}

// node returns the name of this service among those that share the records; "" if no
// other shares them.
func (s *Service) node() string {
	if s.options.Apart == nil {
		return ""
	}
	return s.options.Apart.Node
}
