package main

import (
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"

	"paperfs/cmd/paperfs-bench/measure"
)

// records are where a service keeps what it holds.
type records struct {
	words []string // that name them to paperfs
	env   []string
}

// fill adds the papers from one number to another, and a tenth as many media files.
func (p *records) fill(r *rig, from, to int) error {
	file, content := io.Pipe()
	go func() { content.CloseWithError(measure.Library(content, from, to)) }()
	_, err := p.admin(r, file, "import", "-")
	_ = file.Close() // what is not read ends the writer
	if err == nil {
		_, err = p.admin(r, nil, "generate", "--papers=0", "--categories=0", "--depth=1", "--media", strconv.Itoa(max((to-from)/10, 1)), "--seed", strconv.Itoa(to))
	}
	return err
}

// mostTenants is how many tenants changes are made in.
const mostTenants = 8

// admin runs paperfs admin over the records.
func (p *records) admin(r *rig, in io.Reader, words ...string) (string, error) {
	cmd := p.command(r, append([]string{"admin"}, words...)...)
	cmd.Stdin = in
	out, err := r.run(cmd)
	if err != nil {
		err = fmt.Errorf("paperfs admin %s: %w", strings.Join(words, " "), err)
	}
	return strings.TrimSpace(string(out)), err
}

// command prepares a paperfs for the records.
func (p *records) command(r *rig, words ...string) *exec.Cmd {
	cmd := r.command(append(append([]string{r.paperfs}, words...), p.words...)...)
	cmd.Env = append(cmd.Env, p.env...)
	return cmd
}

// addTenants adds those for changes, and returns the keys of their accounts.
func (p *records) addTenants(r *rig) (keys []string, err error) {
	for n := range mostTenants {
		name := tenantName(n)
		if _, err := p.admin(r, nil, "tenant", "add", name, "--host", name); err != nil {
			return nil, err
		}
		key, err := p.admin(r, nil, "account", "add", accountName, "--tenant", name, "--role", "admin")
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, nil
}

const accountName = "bench"

// tenantName is that of a tenant, and its host.
func tenantName(n int) string { return fmt.Sprintf("t%d.example", n+1) }

// callers are those of the tenants.
func callers(urls, keys []string) (all []*measure.Caller) {
	for n, key := range keys {
		all = append(all, &measure.Caller{Nodes: urls, Host: tenantName(n), Name: accountName, Key: key})
	}
	return all
}
