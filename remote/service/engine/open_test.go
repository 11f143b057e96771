package engine

import (
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/postgresstore"
)

// TestASchemaThatIsTooOld checks that the error says what to do.
func TestASchemaThatIsTooOld(t *testing.T) {
	const database = "postgres://me@db.example/papers"
	require.EqualError(t, explain(database, &postgresstore.OlderError{Have: 3, Want: 4}),
		database+": the database has schema version 3 and this paperfs works with 4. Run: paperfs admin --database "+database+" migrate")
	require.EqualError(t, explain(database, &postgresstore.OlderError{Want: 4}), database+" has no records of paperfs yet. Run: paperfs admin --database "+database+" init; if a paperfs admin copy to it was cut short, run that again instead")
	_, ok := errors.AsType[*postgresstore.OlderError](explain(database, &postgresstore.OlderError{Have: 3, Want: 4}))
	require.True(t, ok)
}

// TestAddressesOfDatabases checks that an address may list several hosts for failover.
func TestAddressesOfDatabases(t *testing.T) {
	for _, address := range []string{"postgres://papers@a.example,b.example/papers", "postgresql://db.example:5433/papers?sslmode=verify-full", "postgres:///papers?host=/run/postgresql"} {
		require.NoError(t, CheckDatabase(address), address)
		_, err := pgx.ParseConfig(address)
		require.NoError(t, err, address)
	}
}

// TestSecretsInAddressesOfDatabases checks that secrets are rejected and not repeated, also in
// other forms that the driver accepts.
func TestSecretsInAddressesOfDatabases(t *testing.T) {
	for _, address := range []string{"postgres://me:hidden@db.example/papers", "postgres://db.example/papers?password=hidden", "postgres://db.example/papers?password=hid;den",
		"host=db.example user=me password=hidden dbname=papers", "postgres:/me:hidden@db.example/papers", "postgres://db.example/papers#?password=hidden"} {
		err := CheckDatabase(address)
		require.Error(t, err, address)
		require.NotContains(t, err.Error(), "hid")
	}
}
