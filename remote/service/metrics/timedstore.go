package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"paperfs/remote/service/store"
)

// TimedStore measures how long the transactions of a store take.
type TimedStore struct {
	store.Store
	read, write, caller prometheus.Observer
}

// Timed returns a store whose transactions are measured.
func (m *Metrics) Timed(inner store.Store) *TimedStore {
	of := m.database.WithLabelValues
	return &TimedStore{Store: inner, read: of("read"), write: of("write"), caller: of("caller")}
}

func since(o prometheus.Observer, began time.Time) { o.Observe(time.Since(began).Seconds()) }

// Read implements store.Store.
func (s *TimedStore) Read(ctx context.Context, f func(store.Reader) error) error {
	defer since(s.read, time.Now())
	return s.Store.Read(ctx, f)
}

// Write implements store.Store.
func (s *TimedStore) Write(ctx context.Context, tenant int64, f func(store.Writer) error) error {
	defer since(s.write, time.Now())
	return s.Store.Write(ctx, tenant, f)
}

// Caller implements store.Store.
func (s *TimedStore) Caller(ctx context.Context, host, account string) (store.Caller, error) {
	defer since(s.caller, time.Now())
	return s.Store.Caller(ctx, host, account)
}
