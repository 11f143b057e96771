package s3store

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// TestLargeDraftsWaitForRoom checks that large drafts wait for room, and small ones do not.
func TestLargeDraftsWaitForRoom(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	place := testrun.Must(ParsePlace("s3://localhost:1/bucket"))(t)
	s := testrun.Must(New(place, nil))(t)
	s.slots = make(chan struct{}, 1)
	create := func(ctx context.Context) store.Draft {
		d := testrun.Must(s.Create(ctx))(t)
		return d
	}
	write := func(d store.Draft, size int) error { _, err := d.Write(make([]byte, size)); return err }
	first := create(t.Context())
	require.NoError(t, write(first, large/2))
	require.NoError(t, write(first, large))
	require.NoError(t, write(first, large), "it takes only one slot")
	require.NoError(t, write(create(t.Context()), large))
	given, giveUp := context.WithCancel(t.Context())
	gone := create(given)
	giveUp()
	require.ErrorIs(t, write(gone, large+1), context.Canceled)
	second := create(t.Context())
	wrote := make(chan error)
	go func() { wrote <- write(second, large+1) }()
	first.Discard()
	first.Discard()
	require.NoError(t, <-wrote)
	require.NoError(t, second.Restart())
	require.NoError(t, write(second, large+1))
	second.Discard()
	gone.Discard()
	require.Empty(t, s.slots)
}
