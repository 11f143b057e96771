package main

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"paperfs/remote/service/kit/temporary"
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
func (p *records) admin(in io.Reader, words ...string) string {
	cmd := p.paperfsCommand(append([]string{"admin"}, words...)...)
	cmd.Stdin = in
	return strings.TrimSpace(string(p.run(cmd)))
}

// fill adds papers, and a tenth as many media files.
func (p *records) fill(papers int) {
	file, content := io.Pipe()
	go func() { content.CloseWithError(writeLibrary(content, papers)) }()
	defer file.Close() // if the import ends early, this ends the writer
	p.admin(file, "import", "-")
	p.admin(nil, "generate", "--papers=0", "--categories=0", "--depth=1", "--media", strconv.Itoa(papers/10), "--seed", strconv.Itoa(papers))
}

// tenants is the number of tenants in which changes are measured.
const tenants = 8

// addTenants adds the tenants for changes, and returns the keys of their accounts.
func (p *records) addTenants() (keys []string) {
	for n := range tenants {
		p.admin(nil, "tenant", "add", tenantName(n), "--host", tenantName(n))
		keys = append(keys, p.admin(nil, "account", "add", accountName, "--tenant", tenantName(n), "--role", "admin"))
	}
	return keys
}

const accountName = "bench"

// tenantName returns the name of a tenant, which is also its host.
func tenantName(n int) string { return fmt.Sprintf("t%d.example", n+1) }

// newSet returns a set without processes.
func newSet(name string, urls []string, account, key string, keys []string) *serviceSet {
	s := &serviceSet{name: name, caller: &caller{Nodes: urls, Name: account, Key: key}}
	for n, key := range keys {
		s.tenants = append(s.tenants, &caller{Nodes: urls, Host: tenantName(n), Name: accountName, Key: key})
	}
	return s
}

// openDataDir starts a service with a data directory.
func openDataDir(r *rig, o serviceOptions) *serviceSet {
	served := servePaperfs(r, setup{}, "--jobs=1")
	p := &records{rig: r, flags: []string{"--data", served.data}}
	s := newSet(dataDirectory, []string{served.env.URL}, served.env.Username, served.env.Password, p.addTenants())
	s.processes = []*process{served.process}
	p.fill(o.papers)
	return s
}

// cluster is a database and an object store that nodes share.
type cluster struct {
	records
	key  string // of the account APIKey
	keys []string
}

const databaseName = "papers"

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
	do(r.ctx, postgres, "postgres", "CREATE DATABASE "+databaseName)
	c := &cluster{records: records{rig: r, flags: []string{"--database", postgres.Address(databaseName), "--objects", temporary.NewAddress(objects.Host)}}}
	for name, value := range temporary.Credentials() {
		c.env = append(c.env, name+"="+value)
	}
	c.key = c.admin(nil, "init")
	c.keys = c.addTenants()
	c.fill(papers)
	do(r.ctx, postgres, databaseName, "VACUUM ANALYZE") // as it would by itself a minute later
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
	s := newSet(name, urls, "APIKey", c.key, c.keys)
	s.processes = processes
	return s
}
