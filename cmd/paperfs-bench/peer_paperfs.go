package main

import (
	"cmp"
	"path"
	"path/filepath"
	"strings"

	"paperfs/remote"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/kit/generate"
)

var paperfsPeer = peer{name: "paperfs", open: func(r *rig, from setup) *place {
	s := servePaperfs(r, from)
	at := s.mount()
	at.server = []*process{s.process}
	return at
}}

// paperfsEmbeddedPeer runs the service in the process of the mount.
var paperfsEmbeddedPeer = peer{name: "paperfs-embedded", open: func(r *rig, from setup) *place {
	s := &paperfsService{rig: r, data: cmp.Or(from.data, filepath.Join(r.dir, "data"))}
	at := s.mount("--data", s.data)
	s.connect()
	return at
}}

// paperfsService is a service and its content.
type paperfsService struct {
	*rig
	process *process // nil if the service runs in the mount
	env     datadir.ClientEnv
	data    string
	client  *remote.Client
}

// servePaperfs starts a service with additional flags.
func servePaperfs(r *rig, from setup, flags ...string) *paperfsService {
	address := freeAddress()
	s := &paperfsService{rig: r, data: cmp.Or(from.data, filepath.Join(r.dir, "data"))}
	s.process = r.serve(address, r.command(append([]string{r.paperfs, "serve", "--data", s.data, "--listen", address, "--log-level=warn"}, flags...)...))
	r.until("client.env", s.process, func() bool { // it listens before its data is set up
		env, err := datadir.ReadClientEnv(s.data)
		return err == nil && env.URL == "http://"+address
	})
	s.connect()
	if from.media > 0 {
		got(fillData(s.data, generate.Spec{Papers: from.media, Categories: max(1, from.media/100), Depth: 1, Media: from.media}, "default"))
	}
	return s
}

func (s *paperfsService) connect() {
	s.env = got(datadir.ReadClientEnv(s.data))
	s.client = got(remote.New(remote.Options{BaseURL: s.env.URL, Username: s.env.Username, Password: s.env.Password}))
}

// mount mounts the service.
func (s *paperfsService) mount(flags ...string) *place {
	dir := s.makeDir("paperfs")
	cmd := s.command(append([]string{s.rig.paperfs, "mount", "--log-level=warn", dir}, flags...)...)
	if s.process != nil {
		cmd.Env = append(cmd.Env, "PAPERFS_URL="+s.env.URL, "PAPERFS_USERNAME="+s.env.Username, "PAPERFS_PASSWORD="+s.env.Password, "PAPERFS_RPM=0")
	}
	mount := s.rig.mount(dir, cmd)
	return &place{rig: s.rig, dir: filepath.Join(dir, "media"), papers: filepath.Join(dir, "papers"), held: s.held, mount: []*process{mount}}
}

// held returns the files at a name or below it. It trusts the service's digests, which the
// service's own tests check.
func (s *paperfsService) held(name string, _ bool) files {
	tree, found := got(s.client.GetTree(s.ctx)), files{}
	paths := map[int64]string{0: ""}
	for _, d := range tree.Dirs {
		paths[d.ID] = path.Join(paths[d.Parent], d.Name)
	}
	for _, f := range tree.Files {
		if below, in := strings.CutPrefix(path.Join(paths[f.Parent], f.Name)+"/", name+"/"); in {
			found[strings.TrimSuffix(below, "/")] = content{f.Bytes, f.SHA256}
		}
	}
	return found
}
