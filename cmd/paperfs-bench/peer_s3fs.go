package main

import (
	"os"
	"path/filepath"
)

// s3fsPeer mounts a bucket of a versitygw of its own. A bucket is a directory below the one that it serves.
var s3fsPeer = peer{name: "s3fs", needs: []string{"s3fs", "versitygw", "fusermount3"}, open: openS3FS}

func openS3FS(r *rig, o setup) (*place, error) {
	address, _, err := freeAddress()
	if err != nil {
		return nil, err
	}
	metadata, err := r.makeDir("s3fs-metadata")
	if err != nil {
		return nil, err
	}
	gateway := r.command("versitygw", "--quiet", "--port", address, "posix", "--sidecar", metadata, filepath.Dir(o.served))
	gateway.Env = append(gateway.Env, "ROOT_ACCESS_KEY=bench", "ROOT_SECRET_KEY=benchbench")
	server, err := r.serve(address, gateway)
	if err != nil {
		return nil, err
	}
	dir, err := r.makeDir("s3fs")
	if err != nil {
		return nil, err
	}
	password := dir + ".password"
	if err := os.WriteFile(password, []byte("bench:benchbench"), 0o600); err != nil {
		return nil, err
	}
	mount, err := r.mount(dir, r.command("s3fs", filepath.Base(o.served), dir, "-f", "-o", "url=http://"+address+",use_path_request_style,passwd_file="+password))
	return &place{mountpoint: dir, dir: dir, store: diskStore(o.served), mount: []*process{mount}, server: []*process{server}}, err
}
