package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"paperfs/remote/service/datadir"
	"paperfs/remote/service/kit/generate"
	"paperfs/remote/service/kit/temporary"
	"paperfs/remote/service/postgresstore"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
)

// records is where a service keeps its data.
type records struct {
	*rig
	flags []string // of paperfs, which name the place
	env   []string
}

// paperfsCommand prepares a paperfs command on the records.
func (p *records) paperfsCommand(words ...string) *exec.Cmd {
	cmd := p.command(append(append([]string{p.paperfs}, words...), p.flags...)...)
	cmd.Env = append(cmd.Env, p.env...)
	return cmd
}

// admin runs paperfs admin on the records.
func (p *records) admin(words ...string) string {
	return strings.TrimSpace(string(p.run(p.paperfsCommand(append([]string{"admin"}, words...)...))))
}

// fill adds papers with a page each, a hundred in each category, and a tenth as many media files.
func fill(s store.Store, papers int) {
	_, err := generate.Fill(s, generate.Spec{Papers: papers, Categories: papers / 100, Depth: 1, Pages: 1, Media: papers / 10}, "default")
	must(errors.Join(err, s.Close()))
}

// tenants is the number of tenants in which changes are measured.
const tenants = 8

// tenantName returns the name of a tenant, which is also its host.
func tenantName(n int) string { return fmt.Sprintf("t%d.example", n+1) }

// addTenants adds the tenants for changes, and returns the keys of their accounts.
func (p *records) addTenants() (keys []string) {
	for n := range tenants {
		p.admin("tenant", "add", tenantName(n), "--host", tenantName(n))
		keys = append(keys, p.admin("account", "add", "bench", "--tenant", tenantName(n), "--role", "admin"))
	}
	return keys
}

// newSet returns a service that runs.
func newSet(r *rig, name string, processes []*process, urls []string, account, key string, keys []string) *serviceSet {
	s := &serviceSet{name: name, processes: processes, caller: connect(r.ctx, urls, "", account, key)}
	for n, key := range keys {
		s.tenants = append(s.tenants, connect(r.ctx, urls, tenantName(n), "bench", key))
	}
	return s
}

// openDataDir starts a service with a data directory.
func openDataDir(r *rig, o serviceOptions) *serviceSet {
	served := servePaperfs(r, setup{}, "--jobs=1")
	p := &records{rig: r, flags: []string{"--data", served.data}}
	keys := p.addTenants()
	fill(got(sqlitestore.OpenExisting(r.ctx, filepath.Join(served.data, datadir.DatabaseFile))), o.papers)
	return newSet(r, dataDirectory, []*process{served.process}, []string{served.env.URL}, served.env.Username, served.env.Password, keys)
}

// cluster is a database and an object store that nodes share.
type cluster struct {
	records
	key  string // of the account APIKey
	keys []string
}

// newCluster starts both, and sets the records up, as an operator does.
func newCluster(r *rig, papers int) (*cluster, error) {
	if err := temporary.FindObjectStore(); err != nil {
		return nil, err
	}
	r.say("PostgreSQL and versitygw")
	postgres, err := temporary.StartPostgres("max_connections=200", "shared_buffers=128MB")
	if err != nil {
		return nil, err
	}
	r.undo = append(r.undo, postgres.Close)
	objects := got(temporary.StartObjectStore(r.makeDir("objects"), ""))
	r.undo = append(r.undo, func() error { objects.Close(); return nil })
	do(r.ctx, postgres, "postgres", "CREATE DATABASE papers")
	c := &cluster{records: records{rig: r, flags: []string{"--database", postgres.Address("papers"), "--objects", temporary.NewAddress(objects.Host)}}}
	for name, value := range temporary.Credentials() {
		c.env = append(c.env, name+"="+value)
	}
	c.key = c.admin("init")
	c.keys = c.addTenants()
	fill(got(postgresstore.Open(r.ctx, postgres.Address("papers"))), papers)
	do(r.ctx, postgres, "papers", "VACUUM ANALYZE") // as it would by itself a minute later
	return c, nil
}

// do runs a statement once PostgreSQL answers.
func do(ctx context.Context, p *temporary.Postgres, database, statement string) {
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	conn := got(p.Connect(ctx, database))
	defer func() { _ = conn.Close(ctx) }()
	got(conn.Exec(ctx, statement))
}

// open starts nodes.
func (c *cluster) open(r *rig, name string, nodes int) *serviceSet {
	var processes []*process
	var urls []string
	for n := range nodes {
		address, node := freeAddress(), fmt.Sprint("n", n+1)
		cmd := c.paperfsCommand("serve", "--scratch", filepath.Join(r.makeDir("scratch"), node), "--node", node, "--listen", address, "--log-level=warn", "--jobs=1")
		processes, urls = append(processes, r.serve(address, cmd)), append(urls, "http://"+address)
	}
	return newSet(r, name, processes, urls, "APIKey", c.key, c.keys)
}
