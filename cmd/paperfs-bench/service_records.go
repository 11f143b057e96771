package main

import (
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"

	"paperfs/cmd/paperfs-bench/measure"
)

// records is where a service keeps its data.
type records struct {
	words []string // the flags of paperfs that name the place
	env   []string
}

// fill adds the papers with numbers in [from, to), and a tenth as many media files.
func (p *records) fill(r *rig, from, to int) error {
	file, content := io.Pipe()
	go func() { content.CloseWithError(measure.Library(content, from, to)) }()
	_, err := p.admin(r, file, "import", "-")
	_ = file.Close() // if the import ends early, this ends the writer
	if err == nil {
		_, err = p.admin(r, nil, "generate", "--papers=0", "--categories=0", "--depth=1", "--media", strconv.Itoa(max((to-from)/10, 1)), "--seed", strconv.Itoa(to))
	}
	return err
}

// mostTenants is the number of tenants in which changes are measured.
const mostTenants = 8

// admin runs paperfs admin on the records.
func (p *records) admin(r *rig, in io.Reader, words ...string) (string, error) {
	cmd := p.command(r, append([]string{"admin"}, words...)...)
	cmd.Stdin = in
	out, err := r.run(cmd)
	if err != nil {
		err = fmt.Errorf("paperfs admin %s: %w", strings.Join(words, " "), err)
	}
	return strings.TrimSpace(string(out)), err
}

// command prepares a paperfs command on the records.
func (p *records) command(r *rig, words ...string) *exec.Cmd {
	cmd := r.command(append(append([]string{r.paperfs}, words...), p.words...)...)
	cmd.Env = append(cmd.Env, p.env...)
	return cmd
}

// addTenants adds the tenants for changes, and returns the keys of their accounts.
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

// tenantName returns the name of a tenant, which is also its host.
func tenantName(n int) string { return fmt.Sprintf("t%d.example", n+1) }

// callers returns a caller for each tenant.
func callers(urls, keys []string) (all []*measure.Caller) {
	for n, key := range keys {
		all = append(all, &measure.Caller{Nodes: urls, Host: tenantName(n), Name: accountName, Key: key})
	}
	return all
}
