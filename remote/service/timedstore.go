package service

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"paperfs/remote/service/store"
)

// timedStore tells the operator how long a store takes.
type timedStore struct {
	store.Store
	read, write, caller prometheus.Observer
}

func (m *metrics) timed(inner store.Store) store.Store {
	of := m.database.WithLabelValues
	return &timedStore{Store: inner, read: of("read"), write: of("write"), caller: of("caller")}
}

func since(o prometheus.Observer, began time.Time) { o.Observe(time.Since(began).Seconds()) }

func (s *timedStore) Read(ctx context.Context, f func(store.Reader) error) error {
	defer since(s.read, time.Now())
	return s.Store.Read(ctx, f)
}

func (s *timedStore) Write(ctx context.Context, tenant int64, f func(store.Writer) error) error {
	defer since(s.write, time.Now())
	return s.Store.Write(ctx, tenant, f)
}

func (s *timedStore) Caller(ctx context.Context, host, account string) (store.Caller, error) {
	defer since(s.caller, time.Now())
	return s.Store.Caller(ctx, host, account)
}
