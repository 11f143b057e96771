package main

import (
	"fmt"
	"path/filepath"
	"slices"

	"paperfs/cmd/paperfs-bench/measure"
	"paperfs/remote/service/kit/temporary"
)

// cluster is the database and object store that nodes share.
type cluster struct {
	records
	engines  *engines
	scratch  string // parent of the nodes' scratch directories
	database string // address, for nodes
	objects  string // address
	key      string // of the account APIKey
	keys     []string
}

// newCluster sets up the records, as an operator does.
func newCluster(r *rig, e *engines) (*cluster, error) {
	c := &cluster{engines: e, database: e.postgres.Address(databaseName), objects: temporary.NewAddress(e.objects.Host)}
	c.words = []string{"--database", c.database, "--objects", c.objects}
	for name, value := range temporary.Credentials() {
		c.env = append(c.env, name+"="+value)
	}
	var err error
	if c.scratch, err = r.makeDir("scratch"); err != nil {
		return nil, err
	}
	if c.key, err = c.admin(r, nil, "init"); err != nil {
		return nil, err
	}
	c.keys, err = c.addTenants(r)
	return c, err
}

// fill also makes PostgreSQL analyze its tables, as it would by itself a minute later.
func (c *cluster) fill(r *rig, from, to int) error {
	if err := c.records.fill(r, from, to); err != nil {
		return err
	}
	return c.engines.do(r.ctx, databaseName, "VACUUM ANALYZE")
}

// open starts nodes with additional flags.
func (c *cluster) open(r *rig, name string, nodes int, flags ...string) (*serviceSet, error) {
	s := &serviceSet{name: name}
	var urls []string
	for n := range nodes {
		address, _, err := freeAddress()
		if err != nil {
			return nil, err
		}
		node := fmt.Sprint("n", n+1)
		words := []string{r.paperfs, "serve", "--database", c.database, "--objects", c.objects, "--scratch", filepath.Join(c.scratch, node), "--node", node,
			"--listen", address, "--log-level=warn", "--jobs=1"}
		cmd := r.command(slices.Concat(words, flags)...)
		cmd.Env = append(cmd.Env, c.env...)
		p, err := r.serve(address, cmd)
		if err != nil {
			return nil, err
		}
		s.processes, urls = append(s.processes, p), append(urls, "http://"+address)
	}
	s.caller = &measure.Caller{Nodes: urls, Name: "APIKey", Key: c.key}
	s.tenants = callers(urls, c.keys)
	return s, nil
}
