package postgresstore_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// TestOtherProcessesAreNotifiedOfJobs checks that other processes are notified of work, even after a lost connection.
func TestOtherProcessesAreNotifiedOfJobs(t *testing.T) {
	t.Parallel()
	all, url := nodes(t, 2)
	k := addTenant(t, all[0], "a")
	heard := make(chan struct{}, 100)
	ctx, stop := context.WithCancel(t.Context())
	over := make(chan struct{})
	go func() {
		defer close(over)
		all[1].Listen(ctx, func() { heard <- struct{}{} })
	}()
	<-heard
	queue := func(name string) {
		require.NoError(t, all[0].Write(t.Context(), k.ID, func(tx store.Writer) error {
			id := testrun.Must(tx.AddNode(store.Node{Tenant: k.ID, Parent: k.Root, Kind: remote.PaperNode, Name: name, URLName: name}))(t)
			return tx.AddWork(store.Work{Job: store.Job{GUID: name, Tenant: k.ID, Paper: id, Created: time.Now()}, PDF: name, Options: "{}"})
		}))
	}
	queue("one")
	<-heard
	c := testrun.Must(pgx.Connect(t.Context(), url))(t)
	defer c.Close(t.Context())
	testrun.Must(c.Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`))(t)
	<-heard // it listens again
	queue("two")
	<-heard
	stop()
	<-over
}
