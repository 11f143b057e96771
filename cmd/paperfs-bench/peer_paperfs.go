package main

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"paperfs/remote"
	"paperfs/remote/service/datadir"
)

var paperfsPeer = peer{name: "paperfs", missing: hasPaperfs, open: func(r *rig, o setup) (*place, error) {
	return openPaperfs(r, o)
}}

// paperfsWriteBackPeer queues uploads, as most other mounts do.
var paperfsWriteBackPeer = peer{name: "paperfs-write-back", missing: hasPaperfs, open: func(r *rig, o setup) (*place, error) {
	return openPaperfs(r, o, "--write-back")
}}

// paperfsEmbeddedPeer runs the service in the process of the mount.
var paperfsEmbeddedPeer = peer{name: "paperfs-embedded", missing: hasPaperfs, open: openEmbedded}

func openEmbedded(r *rig, o setup) (*place, error) {
	home, err := r.makeDir("paperfs-home")
	if err != nil {
		return nil, err
	}
	s := &paperfsService{ctx: r.ctx, home: home, data: cmp.Or(o.data, filepath.Join(home, "data"))}
	at, err := s.mount(r, "--data", s.data)
	if err != nil {
		return at, err
	}
	if s.env, err = datadir.ReadClientEnv(s.data); err != nil {
		return at, err
	}
	s.client, err = remote.New(remote.Options{BaseURL: s.env.URL, Username: s.env.Username, Password: s.env.Password})
	return at, err
}

func hasPaperfs(r *rig) string {
	if r.paperfs == "" {
		return "there is no paperfs beside this program or on the PATH (see --paperfs)"
	}
	return ""
}

func openPaperfs(r *rig, o setup, flags ...string) (*place, error) {
	s, err := servePaperfs(r, o.data, o.media)
	if err != nil {
		return nil, err
	}
	at, err := s.mount(r, flags...)
	if at != nil {
		at.server = []*process{s.process}
	}
	return at, err
}

// mount mounts the service. Taking the place down does not end the service.
func (s *paperfsService) mount(r *rig, flags ...string) (*place, error) {
	dir, err := r.makeDir("paperfs")
	if err != nil {
		return nil, err
	}
	cmd := r.command(append([]string{r.paperfs, "mount", "--log-level=warn", dir}, flags...)...)
	cmd.Env = append(cmd.Env, s.environment()...)
	mount, err := r.mount(dir, cmd)
	return &place{mountpoint: dir, dir: filepath.Join(dir, "media"), papers: filepath.Join(dir, "papers"), store: s, mount: []*process{mount}}, err
}

// paperfsService is a service and its content.
type paperfsService struct {
	ctx     context.Context
	process *process // nil if the service runs in the mount
	env     datadir.ClientEnv
	home    string
	data    string
	client  *remote.Client
}

// servePaperfs starts a service with additional flags, with a data directory that there is, or else
// with a number of papers and as many media files.
func servePaperfs(r *rig, data string, papers int, flags ...string) (*paperfsService, error) {
	home, err := r.makeDir("paperfs-home")
	if err != nil {
		return nil, err
	}
	address, _, err := freeAddress()
	if err != nil {
		return nil, err
	}
	data = cmp.Or(data, filepath.Join(home, "data"))
	s := &paperfsService{ctx: r.ctx, home: home, data: data}
	if s.process, err = r.serve(address, r.command(append([]string{r.paperfs, "serve", "--data", data, "--listen", address, "--log-level=warn"}, flags...)...)); err != nil {
		return nil, err
	}
	// It listens before its data is set up.
	ready := func() bool {
		s.env, err = datadir.ReadClientEnv(data)
		return err == nil && s.env.URL == "http://"+address
	}
	if err := r.until("client.env", s.process, ready); err != nil {
		return nil, err
	}
	s.client, err = remote.New(remote.Options{BaseURL: s.env.URL, Username: s.env.Username, Password: s.env.Password})
	if err != nil || papers == 0 {
		return s, err
	}
	cmd := r.command(r.paperfs, "admin", "--data", data, "generate", "--papers", strconv.Itoa(papers),
		"--categories", strconv.Itoa(max(1, papers/100)), "--depth=1", "--media", strconv.Itoa(papers))
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("paperfs admin generate: %w: %s", err, out)
	}
	return s, nil
}

// environment names the service, if it runs before the mount.
func (s *paperfsService) environment() []string {
	if s.env.URL == "" {
		return []string{"HOME=" + s.home}
	}
	return []string{"HOME=" + s.home, "PAPERFS_URL=" + s.env.URL, "PAPERFS_USERNAME=" + s.env.Username, "PAPERFS_PASSWORD=" + s.env.Password, "PAPERFS_RPM=0"}
}

// held returns the service's files by path, and the ids of its directories.
func (s *paperfsService) held() (map[string]remote.MediaFile, map[string]int64, error) {
	tree, err := s.client.GetTree(s.ctx)
	if err != nil {
		return nil, nil, err
	}
	paths := map[int64]string{0: ""}
	dirs, found := map[string]int64{}, map[string]remote.MediaFile{}
	for _, d := range tree.Dirs {
		paths[d.ID] = path.Join(paths[d.Parent], d.Name)
		dirs[paths[d.ID]] = d.ID
	}
	for _, f := range tree.Files {
		found[path.Join(paths[f.Parent], f.Name)] = f
	}
	return found, dirs, nil
}

func (s *paperfsService) has(name string, want files) (bool, error) {
	found, _, err := s.held()
	if err != nil {
		return false, err
	}
	for below, c := range want {
		if f, ok := found[path.Join(name, below)]; !ok || f.Bytes != c.size {
			return false, nil
		}
	}
	return true, nil
}

// check trusts the service's digests, which the service's own tests check.
func (s *paperfsService) check(name string, want files) error {
	found, _, err := s.held()
	if err != nil {
		return err
	}
	for below, c := range want {
		f, ok := found[path.Join(name, below)]
		if !ok || f.Bytes != c.size || f.SHA256 != hex.EncodeToString(c.sum[:]) {
			return fmt.Errorf("the service does not hold %s as it was written", path.Join(name, below))
		}
	}
	return nil
}

func (s *paperfsService) drop(name string) error {
	found, _, err := s.held()
	if err != nil {
		return err
	}
	for at, f := range found {
		if at == name || strings.HasPrefix(at, name+"/") {
			err = errors.Join(err, s.client.DeleteFile(s.ctx, f.ID))
		}
	}
	return err
}
