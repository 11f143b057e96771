package service

import (
	"log/slog"
	"strconv"
)

// requestNumber is that of a request, of a node where there are several.
type requestNumber struct {
	node string // "" = the only one
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

// node is the name of this service among those that share the records; "" where it
// is alone.
func (s *Service) node() string {
	if s.options.Apart == nil {
		return ""
	}
	return s.options.Apart.Node
}
