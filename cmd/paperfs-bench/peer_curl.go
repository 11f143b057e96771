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
var curlPeer = peer{name: "curl", needs: []string{"curl"}, missing: hasPaperfs, open: func(r *rig, from setup) *place {
	s := servePaperfs(r, from)
	c := &curl{s, map[string]int64{".": 0}}
	return &place{rig: r, held: s.held, server: []*process{s.process}, upload: c.upload, urls: s.urls}
}}

type curl struct {
	*paperfsService
	dirs map[string]int64 // those that were made
}

// upload prepares the bodies and one curl command that posts them one after the other.
func (c *curl) upload(source, name string, want files) *exec.Cmd {
	dir := c.makeDir("curl")
	var config bytes.Buffer
	for below := range want {
		target := filepath.Join(name, below)
		body := filepath.Join(dir, strconv.Itoa(config.Len()))
		must(c.body(body, filepath.Join(source, below), c.parent(filepath.Dir(target)), filepath.Base(target)))
		// With --data, curl would read a body of 1 GiB into memory, and refuse it.
		fmt.Fprintf(&config, "next\nurl = %q\nrequest = POST\nupload-file = %q\nheader = \"Content-Type: application/x-www-form-urlencoded\"\nheader = \"Expect:\"\noutput = /dev/null\nfail\nsilent\nshow-error\n",
			c.env.URL+remote.UploadFile.Path(), body)
	}
	file := filepath.Join(dir, "config")
	must(os.WriteFile(file, bytes.TrimPrefix(config.Bytes(), []byte("next\n")), 0o600))
	return c.command("curl", "--config", file)
}

// parent returns the id of a directory, and makes it where it is not there.
func (c *curl) parent(dir string) int64 {
	id, ok := c.dirs[dir]
	if !ok {
		id = got(c.client.CreateDirectory(c.ctx, c.parent(filepath.Dir(dir)), filepath.Base(dir)))
		c.dirs[dir] = id
	}
	return id
}

// body writes the form body that uploads source.
func (c *curl) body(path, source string, parent int64, name string) error {
	in := got(os.Open(source))
	defer in.Close()
	out := got(os.Create(path))
	defer out.Close()
	form := url.Values{
		remote.UploadFile.Pair.Username: {c.env.Username}, remote.UploadFile.Pair.Password: {c.env.Password},
		"parentID": {strconv.FormatInt(parent, 10)}, "name": {name},
	}.Encode()
	buffered := bufio.NewWriterSize(out, 1<<20)
	fmt.Fprintf(buffered, "%s&base64File=", form)
	digits := base64.NewEncoder(base64.StdEncoding, escaper{buffered})
	_, err := io.Copy(digits, in)
	return errors.Join(err, digits.Close(), buffered.Flush(), out.Close())
}

// escaper percent-encodes what is written to it.
type escaper struct{ io.Writer }

func (e escaper) Write(p []byte) (int, error) {
	_, err := io.WriteString(e.Writer, url.QueryEscape(string(p)))
	return len(p), err
}
