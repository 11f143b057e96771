// Package postgrestest starts PostgreSQL for tests: one cluster for a test program,
// on a socket of its own, and a database for each test.
package postgrestest

import (
	"context"
	"sync"
	"time"

	"paperfs/remote/service/postgresstore"
	"paperfs/remote/service/temporary"
)

// cluster is a running PostgreSQL.
type cluster struct{ *temporary.Postgres }

// start starts the cluster of the program, once. It syncs nothing.
var start = sync.OnceValues(func() (*cluster, error) {
	p, err := temporary.StartPostgres("max_connections=400", "shared_buffers=32MB", "fsync=off", "full_page_writes=off", "autovacuum_naptime=10")
	if err != nil {
		return nil, err
	}
	c := &cluster{p}
	return c, c.template()
})

const template = "records"

// template makes the database that those of tests are copies of.
func (c *cluster) template() error {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	conn, err := c.Connect(ctx, "postgres")
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+template); err != nil {
		return err
	}
	return postgresstore.Migrate(ctx, c.Address(template))
}
