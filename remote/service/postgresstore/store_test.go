package postgresstore_test

import (
	"testing"

	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/kit/storetest"
	"paperfs/remote/service/postgresstore"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

func open(t *testing.T, url string) *postgresstore.Store {
	s := testrun.Must(postgresstore.Open(t.Context(), url))(t)
	t.Cleanup(func() { s.Close() })
	return s
}

func TestEngine(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) store.Store { return open(t, enginetest.Database(t)) })
}
