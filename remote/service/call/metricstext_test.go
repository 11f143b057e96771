package call

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// slow is a store whose transactions take a second and fail.
type slow struct{ store.Store }

var errSlow = errors.New("slow")

func (slow) Read(context.Context, func(store.Reader) error) error {
	time.Sleep(time.Second)
	return errSlow
}

func (slow) Write(_ context.Context, tenant int64, f func(store.Writer) error) error {
	time.Sleep(2 * time.Second)
	if tenant != 7 {
		return errors.New("another tenant")
	}
	return f(nil)
}

func (slow) Caller(_ context.Context, host, account string) (store.Caller, error) {
	time.Sleep(3 * time.Second)
	return store.Caller{Account: store.Account{Name: host + account}}, nil
}

// TestTransactionsAreMeasured checks that each transaction is counted with the time that it took,
// also one that fails, and that it is passed on unchanged.
func TestTransactionsAreMeasured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMetrics()
		s := m.timed(slow{})
		require.ErrorIs(t, s.Read(t.Context(), nil), errSlow)
		ran := false
		require.NoError(t, s.Write(t.Context(), 7, func(store.Writer) error { ran = true; return nil }))
		require.True(t, ran)
		require.Equal(t, "hostname", testrun.Must(s.Caller(t.Context(), "host", "name"))(t).Account.Name)
		text := testrun.Must(m.Text())(t)
		for _, line := range []string{
			`paperfs_service_database_seconds_sum{transaction="read"} 1`,
			`paperfs_service_database_seconds_sum{transaction="write"} 2`,
			`paperfs_service_database_seconds_sum{transaction="caller"} 3`,
			`paperfs_service_database_seconds_count{transaction="read"} 1`,
		} {
			require.Contains(t, string(text), line+"\n")
		}
	})
}

// TestEveryMetricIsInTheText checks that an operator can read each of them.
func TestEveryMetricIsInTheText(t *testing.T) {
	m := newMetrics()
	m.requests.WithLabelValues("GetTree", "SUCCESS").Inc()
	m.seconds.WithLabelValues("GetTree").Observe(1)
	m.sent.Add(2)
	m.received.Add(3)
	m.underWay.Inc()
	m.limited.Add(4)
	text := testrun.Must(m.Text())(t)
	for _, line := range []string{
		`paperfs_service_requests_total{code="SUCCESS",operation="GetTree"} 1`, `paperfs_service_request_seconds_count{operation="GetTree"} 1`,
		"paperfs_service_sent_bytes_total 2", "paperfs_service_received_bytes_total 3", "paperfs_service_requests_under_way 1", "paperfs_service_limited_total 4",
	} {
		require.Contains(t, string(text), line+"\n")
	}
}
