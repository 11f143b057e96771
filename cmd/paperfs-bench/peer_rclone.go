package main

import (
	"bytes"
	"os/exec"
)

var rclonePeer = peer{name: "rclone", needs: []string{"rclone", "fusermount3"}, open: func(r *rig, o setup) (*place, error) {
	return openRclone(r, o)
}}

// rcloneTunedPeer has what its users set to make it fast: writes cached on
// disk and sent soon, many at the same time, listings kept. (With a write-back
// of 0 s, a file that is renamed while it is sent, as rsync does, is lost.)
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

// serveWebdav serves a directory, which everybody on this machine may change.
func serveWebdav(r *rig, dir string) (address string, server *process, err error) {
	address, _, err = freeAddress()
	if err != nil {
		return "", nil, err
	}
	server, err = r.serve(address, r.command(r.rclone, "serve", "webdav", dir, "--addr="+address, "--config="))
	return address, server, err
}

// rcloneServes reports whether the installed rclone can serve something.
func rcloneServes(r *rig, what string) bool {
	// An unknown word is answered with the help of `serve`, and success.
	help, _ := exec.Command(r.rclone, "serve", what, "--help").Output()
	return bytes.Contains(help, []byte("rclone serve "+what))
}
