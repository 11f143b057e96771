package apitest

import (
	"context"
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// kept is a content store with a cleanup.
type kept struct {
	store.Contents
	records      store.Store
	begun, ended chan struct{}
}

func (k *kept) Keep(ctx context.Context, _ *slog.Logger) {
	close(k.begun)
	<-ctx.Done()
	// The ledger stays open until the cleanup ends.
	if _, err := k.records.Leftovers(context.WithoutCancel(ctx), 0, 0, store.Leftover{}, 1); err == nil {
		close(k.ended)
	}
}

func (k *kept) Stuck() int { return 3 }

// TestAServiceCleansUpWhatItServes checks that the cleanup runs as long as the service.
func TestAServiceCleansUpWhatItServes(t *testing.T) {
	t.Parallel()
	allInFiles(t) // the test opens the records as SQLite
	data := t.TempDir()
	records := testrun.Must(sqlitestore.Open(t.Context(), filepath.Join(data, datadir.DatabaseFile)))(t)
	k := &kept{records: records, begun: make(chan struct{}), ended: make(chan struct{})}
	s := testrun.Must(service.Open(service.Options{Data: data, Apart: &service.Apart{Store: records, Contents: k}, Log: slog.New(slog.DiscardHandler), PDFJobs: -1}))(t)
	<-k.begun
	require.EqualValues(t, 3, (&server{t: t, service: s}).metric("paperfs_service_content_stuck"))
	require.NoError(t, s.Close())
	select {
	case <-k.ended:
	default:
		t.Fatal("the records were closed before the janitor ended")
	}
}
