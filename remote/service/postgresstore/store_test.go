package postgresstore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/kit/storetest"
	"paperfs/remote/service/postgresstore"
	"paperfs/remote/service/store"
)

func open(t *testing.T, url string) *postgresstore.Store {
	s, err := postgresstore.Open(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func TestEngine(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) store.Store { return open(t, enginetest.Database(t)) })
}
