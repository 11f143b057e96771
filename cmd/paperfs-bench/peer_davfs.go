package main

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"time"
)

// davfsPeer mounts the share of `rclone serve webdav`, without locks and without an upload
// delay.
var davfsPeer = peer{
	name: "davfs2", needs: []string{"mount.davfs", "rclone"},
	missing: func(*rig) string {
		if os.Geteuid() != 0 {
			return "only root can mount it without an entry in fstab"
		}
		if _, err := user.LookupGroup("davfs2"); err != nil {
			return err.Error()
		}
		return ""
	},
	open: openDavfs,
}

func openDavfs(r *rig, o setup) (*place, error) {
	address, server, err := serveWebdav(r, o.served)
	if err != nil {
		return nil, err
	}
	own, err := r.makeDir("davfs-own")
	if err != nil {
		return nil, err
	}
	dir, err := r.makeDir("davfs")
	if err != nil {
		return nil, err
	}
	config := filepath.Join(own, "config")
	// With the default buffer (16 KiB), davfs2 returns EINVAL to newer kernels (seen: 6.18),
	// which read more of a directory at a time.
	text := fmt.Sprintf("ask_auth 0\nuse_locks 0\ndelay_upload 0\ncache_dir %s\ncache_size 4096\nbuf_size 256\n", own)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		return nil, err
	}
	if err := os.Chmod(own, 0o777); err != nil { // its daemon runs as another user
		return nil, err
	}
	if err := os.Chmod(r.dir, 0o755); err != nil {
		return nil, err
	}
	if err := r.guard.watch(guardedMount, dir); err != nil {
		return nil, err
	}
	cmd := r.command("mount.davfs", "http://"+address+"/", dir, "-o", "conf="+config)
	cmd.WaitDelay = time.Second // the daemon keeps our output pipe open
	if out, err := cmd.CombinedOutput(); err != nil && !isMount(dir) {
		return nil, fmt.Errorf("mount.davfs: %w: %s", err, out)
	}
	return &place{mountpoint: dir, dir: dir, store: diskStore(o.served), server: []*process{server}}, nil
}
