package main

import (
	"os"
	"path/filepath"
)

// s3fsPeer needs a local S3 server: `rclone serve s3`, which rclone has since 1.65.
var s3fsPeer = peer{
	name: "s3fs", needs: []string{"s3fs", "rclone", "fusermount3"},
	missing: func(r *rig) string {
		if !rcloneServes(r, "s3") {
			return "the installed rclone has no `serve s3` (it came with 1.65), so there is no local S3"
		}
		return ""
	},
	open: openS3FS,
}

func openS3FS(r *rig, o setup) (*place, error) {
	address, _, err := freeAddress()
	if err != nil {
		return nil, err
	}
	const key, secret = "bench", "benchbench"
	// A bucket is a directory of the served directory.
	bucket := filepath.Base(o.served)
	server, err := r.serve(address, r.command(r.rclone, "serve", "s3", filepath.Dir(o.served), "--addr="+address, "--auth-key="+key+","+secret, "--config="))
	if err != nil {
		return nil, err
	}
	dir, err := r.makeDir("s3fs")
	if err != nil {
		return nil, err
	}
	password := dir + ".password"
	if err := os.WriteFile(password, []byte(key+":"+secret), 0o600); err != nil {
		return nil, err
	}
	mount, err := r.mount(dir, r.command("s3fs", bucket, dir, "-f", "-o", "url=http://"+address+",use_path_request_style,passwd_file="+password+""))
	return &place{mountpoint: dir, dir: dir, store: diskStore(o.served), mount: []*process{mount}, server: []*process{server}}, err
}
