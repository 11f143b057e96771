package doctor

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"paperfs/fs/mountpoint"
)

// machine creates a file system with these files; a name that ends in a slash is a directory.
func machine(t *testing.T, files map[string]string) string {
	root := t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, name)
		if strings.HasSuffix(name, "/") {
			require.NoError(t, os.MkdirAll(path, 0o755))
			continue
		}
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
	}
	return root
}

// onDisk returns a directory on a file system of this kind.
func onDisk(magic int64, access error) Directory {
	return Directory{
		Name: "state", Path: "/tmp", Kept: true,
		Statfs: func(_ string, s *unix.Statfs_t) error {
			*s = unix.Statfs_t{Type: magic}
			return nil
		},
		Access: func(string, uint32) error { return access },
	}
}

// said returns a finding as text.
func said(f Finding) string {
	text := string(f.Level) + ": " + f.Says
	if f.Fix != "" {
		text += " | " + f.Fix
	}
	return text
}

const ext4 = 0xef53

// TestEachFailureOfTheMachineSaysWhatMendsIt checks the text of each finding about this machine.
func TestEachFailureOfTheMachineSaysWhatMendsIt(t *testing.T) {
	bare := machine(t, nil)
	armored := machine(t, map[string]string{"sys/module/apparmor/parameters/enabled": "Y\n", "etc/apparmor.d/fusermount3": "profile"})
	edited := machine(t, map[string]string{"sys/module/apparmor/parameters/enabled": "Y\n", "etc/apparmor.d/fusermount3": "profile", "etc/apparmor.d/local/fusermount3": "mount,"})
	bin, setuid := machine(t, map[string]string{"fusermount3": ""}), machine(t, map[string]string{"fusermount3": ""})
	require.NoError(t, os.Chmod(filepath.Join(bin, "fusermount3"), 0o755))
	require.NoError(t, os.Chmod(filepath.Join(setuid, "fusermount3"), 0o755|os.ModeSetuid))
	sandbox := machine(t, map[string]string{"proc/self/status": "Name:\tx\nNoNewPrivs:\t1\n"})
	listed := machine(t, map[string]string{"etc/mtab": ""})
	dir := func(d Directory, path string) Directory { d.Path = path; return d }
	in := func(path string, look func() Finding) func() Finding {
		return func() Finding { t.Setenv("PATH", path); return look() }
	}
	for want, look := range map[string]func() Finding{

		"failure: BIN/fusermount3 does not run as root (no setuid bit), so it cannot mount for you | Run as root: chown root BIN/fusermount3 && chmod u+s BIN/fusermount3":                                 in(bin, FUSE{Root: bare, UID: 7}.fusermount),
		"failure: SETUID/fusermount3 cannot become root here: this process and its children may not gain privileges | Start paperfs outside of that sandbox; in a systemd unit, take NoNewPrivileges= out": in(setuid, FUSE{Root: sandbox, UID: 7}.fusermount),
		"ok: SETUID/fusermount3, setuid root": in(setuid, FUSE{Root: listed, UID: 7}.fusermount),
		"failure: SETUID/fusermount3 can mount, but cannot unmount without /etc/mtab, which is missing | Run as root: ln -s /proc/self/mounts /etc/mtab": in(setuid, FUSE{Root: bare, UID: 7}.fusermount),

		"ok: is not active": FUSE{Root: bare, Mountpoint: "/srv/p"}.appArmor,
		"failure: does not let fusermount3 mount at /srv/p: the mount fails with \"Permission denied\" | Choose a directory below your home, or run as root: echo 'mount fstype=@{fuse_types} options=(nosuid,nodev) options in (ro,rw,noatime) -> /srv/p/, umount /srv/p/,' >> /etc/apparmor.d/local/fusermount3 && apparmor_parser -r /etc/apparmor.d/fusermount3": FUSE{Root: armored, Home: "/home/me", Mountpoint: "/srv/p"}.appArmor,
		"ok: lets fusermount3 mount below /home/me": FUSE{Root: armored, Home: "/home/me", Mountpoint: "/home/me/p"}.appArmor,
		"warning: lets fusermount3 mount at /srv/p only if /etc/apparmor.d/local/fusermount3 says so | Run: cat /etc/apparmor.d/local/fusermount3": FUSE{Root: edited, Mountpoint: "/srv/p"}.appArmor,

		"failure: BIN/fusermount3 is in the way: it is not a directory | Run: mv BIN/fusermount3 BIN/fusermount3.old":                                                       dir(onDisk(ext4, nil), filepath.Join(bin, "fusermount3")).look,
		"failure: /tmp is on a file system that is mounted read-only | Run as root: mount -o remount,rw " + mountpoint.Of("/tmp") + " (dmesg says whether the disk failed)": onDisk(ext4, unix.EROFS).look,
		"warning: /tmp is in memory (tmpfs): what is kept there is lost when the machine restarts | Choose a directory on a disk: XDG_STATE_HOME, or --data":                onDisk(unix.TMPFS_MAGIC, nil).look,
		"warning: /tmp is on a network file system, on which locks and syncs of a database are not safe | Choose a directory of this machine: XDG_STATE_HOME, or --data":    onDisk(unix.NFS_SUPER_MAGIC, nil).look,
		"ok: BIN/new/deep (created at the first mount)":                            dir(onDisk(ext4, nil), filepath.Join(bin, "new/deep")).look,
		"warning: BIN can be read by other users (mode 0755) | Run: chmod 700 BIN": dir(onDisk(ext4, nil), bin).look,

		"failure: refused | Run: paperfs umount /x": func() Finding { return advised(errors.New("refused. Run: paperfs umount /x")) },
	} {
		got := strings.NewReplacer(bin, "BIN", setuid, "SETUID").Replace(said(look()))
		require.Equal(t, want, got)
	}
	require.Contains(t, said(onDisk(ext4, unix.EACCES).look()), "failure: you may not write to /tmp: permission denied | Run as root: chown -R ")
	require.Regexp(t, `^failure: you may not write to /tmp: permission denied \| Run as root: install -d -m 700 -o \d+ -g \d+ /tmp/none/paperfs `,
		said(dir(onDisk(ext4, unix.EACCES), "/tmp/none/paperfs").look()), "the owner of the parent directory stays")
}

// TestEachStateOfAMountSaysWhatMendsIt checks the text of each finding about a mount.
func TestEachStateOfAMountSaysWhatMendsIt(t *testing.T) {
	all := []mountpoint.Mount{{Dir: "/living"}, {Dir: "/silent"}, {Dir: "/stale one"}}
	found := Stale(all, func(m mountpoint.Mount) error {
		return map[string]error{"/silent": mountpoint.Silent(m.Dir, time.Second), "/stale one": mountpoint.StaleMount(m.Dir)}[m.Dir]
	}).Look(t.Context())
	require.Len(t, found, 3)
	require.Equal(t, "ok: /living answers", said(found[0]))
	require.Equal(t, "failure: /silent does not answer | If its process was killed, run: paperfs umount --force /silent", said(found[1]))
	require.Equal(t, "failure: /stale one is stale: the process that served it has ended | Run: paperfs umount '/stale one'", said(found[2]))
}

func TestACheckThatTakesTooLongIsLeftBehind(t *testing.T) {
	forever := make(chan []Finding)
	checks := []Check{
		{Name: "slow", Limit: time.Millisecond, Look: func(context.Context) []Finding { return <-forever }},
		one("bad", func() Finding { return failure("mend it", "broken") }),
	}
	var found []Finding
	var begun []string
	begin := func(check string) func() {
		begun = append(begun, check)
		return func() { begun = append(begun, "end") }
	}
	require.False(t, Run(t.Context(), checks, begin, func(f Finding) { found = append(found, f) }))
	require.Equal(t, Finding{"slow", Warning, "no answer within 1ms: the check may be waiting for a network disk", ""}, found[0])
	require.Equal(t, Finding{"bad", Failure, "broken", "mend it"}, found[1])
	require.Equal(t, []string{"slow", "end", "bad", "end"}, begun)
	require.True(t, Run(t.Context(), nil, nil, nil))
	close(forever)
}

// TestRightsToldOnce checks that advice that fixes several directories at once is printed once.
func TestRightsToldOnce(t *testing.T) {
	inTheWay := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(inTheWay, nil, 0o600))
	require.Equal(t, []string{"Run: mv " + inTheWay + " " + inTheWay + ".old"}, Rights(inTheWay, inTheWay))
}
