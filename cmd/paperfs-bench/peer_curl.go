package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"paperfs/remote"
)

// curlPeer posts form bodies that were made before the clock starts: what the
// service itself takes, and no mount can be faster than.
var curlPeer = peer{name: "curl", needs: []string{"curl"}, missing: hasPaperfs, open: func(r *rig, _ setup) (*place, error) {
	s, err := servePaperfs(r, 0, 0)
	if err != nil {
		return nil, err
	}
	c := &curl{rig: r, service: s}
	return &place{store: s, server: []*process{s.process}, command: c.command}, nil
}}

type curl struct {
	rig     *rig
	service *paperfsService
}

// command prepares the bodies and one curl that posts them one after the other.
func (c *curl) command(w workload, name string) (*exec.Cmd, error) {
	if w.posts == nil {
		return nil, errNotHere
	}
	dir, err := c.rig.makeDir("curl")
	if err != nil {
		return nil, err
	}
	var config bytes.Buffer
	dirs := map[string]int64{}
	for number, post := range w.posts(name) {
		parent, err := c.parent(dirs, filepath.Dir(post.target))
		if err != nil {
			return nil, err
		}
		body := filepath.Join(dir, strconv.Itoa(number))
		if err := c.body(body, post.source, parent, filepath.Base(post.target)); err != nil {
			return nil, err
		}
		if number > 0 {
			config.WriteString("next\n")
		}
		fmt.Fprintf(&config, "url = %q\ndata-binary = %q\noutput = /dev/null\nfail\nsilent\nshow-error\n", c.service.env.URL+remote.UploadFile.Path(), "@"+body)
	}
	file := filepath.Join(dir, "config")
	if err := os.WriteFile(file, config.Bytes(), 0o600); err != nil {
		return nil, err
	}
	return c.rig.command("curl", "--config", file), nil
}

// parent makes the directories above a file.
func (c *curl) parent(dirs map[string]int64, dir string) (int64, error) {
	if dir == "." {
		return 0, nil
	}
	if id, ok := dirs[dir]; ok {
		return id, nil
	}
	above, err := c.parent(dirs, filepath.Dir(dir))
	if err == nil {
		dirs[dir], err = c.service.client.CreateDirectory(c.rig.ctx, above, filepath.Base(dir))
	}
	return dirs[dir], err
}

func (c *curl) body(path, source string, parent int64, name string) error {
	content, err := os.ReadFile(source)
	if err != nil {
		return err
	}
	form := url.Values{
		remote.UploadFile.Pair.Username: {c.service.env.Username}, remote.UploadFile.Pair.Password: {c.service.env.Password},
		"parentID": {strconv.FormatInt(parent, 10)}, "name": {name},
	}.Encode()
	encoded := url.QueryEscape(base64.StdEncoding.EncodeToString(content))
	return os.WriteFile(path, []byte(form+"&base64File="+encoded), 0o600)
}
