package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"paperfs/remote"
)

// curlPeer posts form bodies that it prepares before the clock starts. It measures the service
// alone, so no mount can be faster.
var curlPeer = peer{name: "curl", needs: []string{"curl"}, missing: hasPaperfs, open: func(r *rig, o setup) (*place, error) {
	s, err := servePaperfs(r, o.data, 0)
	if err != nil {
		return nil, err
	}
	c := &curl{rig: r, service: s}
	return &place{store: s, server: []*process{s.process}, command: c.command, urls: s.urls}, nil
}}

type curl struct {
	rig     *rig
	service *paperfsService
}

// command prepares the bodies and one curl command that posts them one after the other.
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
		// With --data, curl would read a body of 1 GiB into memory, and refuse it.
		fmt.Fprintf(&config, "url = %q\nrequest = POST\nupload-file = %q\nheader = \"Content-Type: application/x-www-form-urlencoded\"\nheader = \"Expect:\"\noutput = /dev/null\nfail\nsilent\nshow-error\n",
			c.service.env.URL+remote.UploadFile.Path(), body)
	}
	file := filepath.Join(dir, "config")
	if err := os.WriteFile(file, config.Bytes(), 0o600); err != nil {
		return nil, err
	}
	return c.rig.command("curl", "--config", file), nil
}

// parent creates the directories above a file.
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

// body writes the form body that uploads source.
func (c *curl) body(path, source string, parent int64, name string) error {
	in, err := os.Open(source)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer out.Close()
	form := url.Values{
		remote.UploadFile.Pair.Username: {c.service.env.Username}, remote.UploadFile.Pair.Password: {c.service.env.Password},
		"parentID": {strconv.FormatInt(parent, 10)}, "name": {name},
	}.Encode()
	buffered := bufio.NewWriterSize(out, 1<<20)
	fmt.Fprintf(buffered, "%s&base64File=", form)
	digits := base64.NewEncoder(base64.StdEncoding, escaper{buffered})
	_, err = io.Copy(digits, in)
	return errors.Join(err, digits.Close(), buffered.Flush(), out.Close())
}

// escaper percent-encodes what is written to it.
type escaper struct{ io.Writer }

func (e escaper) Write(p []byte) (int, error) {
	_, err := io.WriteString(e.Writer, url.QueryEscape(string(p)))
	return len(p), err
}
