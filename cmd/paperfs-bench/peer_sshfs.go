package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
)

// sshdProgram is a full path, because sshd requires to be run by one.
const sshdProgram = "/usr/sbin/sshd"

// separationDir is required by an sshd that runs as root; distributions create it when their
// service starts.
const separationDir = "/run/sshd"

// sshfsPeer mounts from its own sshd, with its own keys.
var sshfsPeer = peer{
	name: "sshfs", needs: []string{"sshfs", sshdProgram, "ssh-keygen", "fusermount3"},
	missing: func(*rig) string {
		if _, err := os.Stat(separationDir); os.Geteuid() == 0 && err != nil {
			return fmt.Sprintf("sshd needs the directory %s: mkdir -m 0755 %s", separationDir, separationDir)
		}
		return ""
	},
	open: openSSHFS,
}

func openSSHFS(r *rig, o setup) (*place, error) {
	keys, err := r.makeDir("ssh")
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(keys, 0o700); err != nil {
		return nil, err
	}
	for _, name := range []string{"host", "user"} {
		cmd := r.command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(keys, name))
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("ssh-keygen: %w: %s", err, out)
		}
	}
	address, port, err := freeAddress()
	if err != nil {
		return nil, err
	}
	sftp, err := exec.LookPath("/usr/lib/openssh/sftp-server")
	if err != nil {
		sftp = "internal-sftp"
	}
	config := fmt.Sprintf("ListenAddress %s\nHostKey %s/host\nAuthorizedKeysFile %s/user.pub\nStrictModes no\nUsePAM no\nPermitRootLogin prohibit-password\nPasswordAuthentication no\nPidFile none\nSubsystem sftp %s\n",
		address, keys, keys, sftp)
	if err := os.WriteFile(filepath.Join(keys, "config"), []byte(config), 0o600); err != nil {
		return nil, err
	}
	server, err := r.serve(address, r.command(sshdProgram, "-D", "-e", "-f", filepath.Join(keys, "config")))
	if err != nil {
		return nil, err
	}
	me, err := user.Current()
	if err != nil {
		return nil, err
	}
	dir, err := r.makeDir("sshfs")
	if err != nil {
		return nil, err
	}
	mount, err := r.mount(dir, r.command("sshfs", "-f", me.Username+"@127.0.0.1:"+o.served, dir, "-p", port, "-F", "/dev/null",
		"-o", "IdentityFile="+keys+"/user,IdentitiesOnly=yes,StrictHostKeyChecking=no,UserKnownHostsFile=/dev/null,BatchMode=yes"))
	return &place{mountpoint: dir, dir: dir, store: diskStore(o.served), mount: []*process{mount}, server: []*process{server}}, err
}
