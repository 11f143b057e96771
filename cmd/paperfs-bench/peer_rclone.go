package main

import (
	"bytes"
	"os/exec"
)

var rclonePeer = peer{name: "rclone", needs: []string{"rclone", "fusermount3"}, open: func(r *rig, o setup) (*place, error) {
	return openRclone(r, o)
}}

// rcloneTunedPeer has the usual settings for speed: writes cached on disk and sent soon, many
// at a time, listings cached. (With a write-back of 0 s, rclone loses a file that is renamed
// during its upload, as rsync does.)
var rcloneTunedPeer = peer{name: "rclone-tuned", needs: []string{"rclone", "fusermount3"}, open: func(r *rig, o setup) (*place, error) {
	return openRclone(r, o, "--vfs-cache-mode=full", "--vfs-write-back=100ms", "--vfs-fast-fingerprint", "--transfers=8", "--checkers=8",
		"--dir-cache-time=1h", "--attr-timeout=1h", "--buffer-size=32M")
}}

func openRclone(r *rig, o setup, flags ...string) (*place, error) {
	address, server, err := serveWebdav(r, o.served)
	if err != nil {
		return nil, err
	}
	dir, err := r.makeDir("rclone")
	if err != nil {
		return nil, err
	}
	cache, err := r.makeDir("rclone-cache")
	if err != nil {
		return nil, err
	}
	words := []string{r.rclone, "mount", ":webdav:", dir, "--webdav-url=http://" + address, "--config=", "--cache-dir=" + cache}
	mount, err := r.mount(dir, r.command(append(words, flags...)...))
	return &place{mountpoint: dir, dir: dir, store: diskStore(o.served), mount: []*process{mount}, server: []*process{server}}, err
}

// serveWebdav serves a directory, which every user of this machine may change.
func serveWebdav(r *rig, dir string) (address string, server *process, err error) {
	address, _, err = freeAddress()
	if err != nil {
		return "", nil, err
	}
	server, err = r.serve(address, r.command(r.rclone, "serve", "webdav", dir, "--addr="+address, "--config="))
	return address, server, err
}

// rcloneServes reports whether the installed rclone can serve a protocol.
func rcloneServes(r *rig, what string) bool {
	// For an unknown word, rclone prints the help of `serve` and succeeds.
	help, _ := exec.Command(r.rclone, "serve", what, "--help").Output()
	return bytes.Contains(help, []byte("rclone serve "+what))
}
