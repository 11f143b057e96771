package main

// rclonePeer has the usual settings for speed: writes cached on disk and sent soon, many at a
// time, listings cached. (With a write-back of 0 s, rclone loses a file that is renamed during
// its upload, as rsync does.)
var rclonePeer = peer{name: "rclone", needs: []string{"rclone", "fusermount3"}, open: func(r *rig, from setup) *place {
	address, dir := freeAddress(), r.makeDir("rclone")
	server := r.serve(address, r.command("rclone", "serve", "webdav", from.served, "--addr="+address, "--config="))
	mount := r.mount(dir, r.command("rclone", "mount", ":webdav:", dir, "--webdav-url=http://"+address, "--config=", "--cache-dir="+r.makeDir("rclone-cache"),
		"--vfs-cache-mode=full", "--vfs-write-back=100ms", "--vfs-fast-fingerprint", "--transfers=8", "--checkers=8",
		"--dir-cache-time=1h", "--attr-timeout=1h", "--buffer-size=32M"))
	return onServed(r, from, dir, []*process{mount}, []*process{server})
}}
