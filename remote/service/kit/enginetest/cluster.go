package enginetest

import (
	"context"
	"sync"
	"time"

	"paperfs/remote/service/kit/temporary"
	"paperfs/remote/service/postgresstore"
)

// cluster is a running PostgreSQL.
type cluster struct{ *temporary.Postgres }

// startCluster starts the cluster of the program, once, without fsync.
var startCluster = sync.OnceValues(func() (*cluster, error) {
	p, err := temporary.StartPostgres("max_connections=400", "shared_buffers=32MB", "fsync=off", "full_page_writes=off", "autovacuum_naptime=10")
	if err != nil {
		return nil, err
	}
	c := &cluster{p}
	return c, c.template()
})

const template = "records"

// template creates the database that is the template of test databases.
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
