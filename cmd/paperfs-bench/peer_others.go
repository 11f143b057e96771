package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
)

// rclonePeer has the usual settings for speed: writes cached on disk and sent soon, many at a
// time, listings cached. (With a write-back of 0 s, rclone loses a file that is renamed during
// its upload, as rsync does.)
var rclonePeer = peer{name: "rclone", needs: []string{"rclone", "fusermount3"}, open: func(r *rig, from setup) *place {
	address, dir := freeAddress(), r.makeDir("rclone")
	server := r.serve(address, r.command(r.rclone, "serve", "webdav", from.served, "--addr="+address, "--config="))
	mount := r.mount(dir, r.command(r.rclone, "mount", ":webdav:", dir, "--webdav-url=http://"+address, "--config=", "--cache-dir="+r.makeDir("rclone-cache"),
		"--vfs-cache-mode=full", "--vfs-write-back=100ms", "--vfs-fast-fingerprint", "--transfers=8", "--checkers=8",
		"--dir-cache-time=1h", "--attr-timeout=1h", "--buffer-size=32M"))
	return onServed(r, from, dir, []*process{mount}, []*process{server})
}}

// s3fsPeer mounts a bucket of a versitygw of its own. A bucket is a directory below the one that it serves.
var s3fsPeer = peer{name: "s3fs", needs: []string{"s3fs", "versitygw", "fusermount3"}, open: func(r *rig, from setup) *place {
	address, dir := freeAddress(), r.makeDir("s3fs")
	gateway := r.command("versitygw", "--quiet", "--port", address, "posix", "--sidecar", r.makeDir("s3fs-metadata"), filepath.Dir(from.served))
	gateway.Env = append(gateway.Env, "ROOT_ACCESS_KEY=bench", "ROOT_SECRET_KEY=benchbench")
	server := r.serve(address, gateway)
	password := dir + ".password"
	must(os.WriteFile(password, []byte("bench:benchbench"), 0o600))
	mount := r.mount(dir, r.command("s3fs", filepath.Base(from.served), dir, "-f", "-o", "url=http://"+address+",use_path_request_style,passwd_file="+password))
	return onServed(r, from, dir, []*process{mount}, []*process{server})
}}

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

func openSSHFS(r *rig, from setup) *place {
	keys, dir := r.makeDir("ssh"), r.makeDir("sshfs")
	must(os.Chmod(keys, 0o700))
	for _, name := range []string{"host", "user"} {
		r.run(r.command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(keys, name)))
	}
	address := freeAddress()
	_, port, err := net.SplitHostPort(address)
	must(err)
	sftp, err := exec.LookPath("/usr/lib/openssh/sftp-server")
	if err != nil {
		sftp = "internal-sftp"
	}
	config := fmt.Sprintf("ListenAddress %s\nHostKey %s/host\nAuthorizedKeysFile %s/user.pub\nStrictModes no\nUsePAM no\nPermitRootLogin prohibit-password\nPasswordAuthentication no\nPidFile none\nSubsystem sftp %s\n",
		address, keys, keys, sftp)
	must(os.WriteFile(filepath.Join(keys, "config"), []byte(config), 0o600))
	server := r.serve(address, r.command(sshdProgram, "-D", "-e", "-f", filepath.Join(keys, "config")))
	mount := r.mount(dir, r.command("sshfs", "-f", got(user.Current()).Username+"@127.0.0.1:"+from.served, dir, "-p", port, "-F", "/dev/null",
		"-o", "IdentityFile="+keys+"/user,IdentitiesOnly=yes,StrictHostKeyChecking=no,UserKnownHostsFile=/dev/null,BatchMode=yes"))
	return onServed(r, from, dir, []*process{mount}, []*process{server})
}
