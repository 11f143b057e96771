package main

// rclonePeer has the usual settings for speed: writes cached on disk and sent soon, many at a
// time, listings cached. (With a write-back of 0 s, rclone loses a file that is renamed during
// its upload, as rsync does.)
var rclonePeer = peer{name: "rclone", needs: []string{"rclone", "fusermount3"}, open: openRclone}

func openRclone(r *rig, o setup) (*place, error) {
	address, _, err := freeAddress()
	if err != nil {
		return nil, err
	}
	server, err := r.serve(address, r.command(r.rclone, "serve", "webdav", o.served, "--addr="+address, "--config="))
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
	mount, err := r.mount(dir, r.command(r.rclone, "mount", ":webdav:", dir, "--webdav-url=http://"+address, "--config=", "--cache-dir="+cache,
		"--vfs-cache-mode=full", "--vfs-write-back=100ms", "--vfs-fast-fingerprint", "--transfers=8", "--checkers=8",
		"--dir-cache-time=1h", "--attr-timeout=1h", "--buffer-size=32M"))
	return &place{mountpoint: dir, dir: dir, store: diskStore(o.served), mount: []*process{mount}, server: []*process{server}}, err
}
