package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/fs/programtest"
	"paperfs/remote/testrun"
)

// TestPackagesHaveTheSameBytesInAnyDirectory makes a release of two checkouts of one commit, by builders who have set
// other things.
func TestPackagesHaveTheSameBytesInAnyDirectory(t *testing.T) {
	testrun.Long(t, "builds the program twice")
	t.Parallel()
	for _, tool := range []string{"nfpm", "cyclonedx-gomod", "git"} {
		testrun.Program(t, tool)
	}
	sources := testrun.Must(filepath.Abs("../.."))(t)
	if _, err := os.Stat(filepath.Join(sources, ".git")); err != nil {
		testrun.Missing(t, "a checkout of git")
	}
	var sums []string
	for builder, umask := range map[string]string{"a": "022", "another/longer one": "077"} {
		dir := filepath.Join(t.TempDir(), builder)
		cmd := programtest.Command(t, 20*time.Minute, "sh", "-ec", `umask `+umask+`; git clone -q "$1" "$2"; "$2/packaging/build"`, "sh", sources, dir) // without a cache, the whole program
		cmd.Env = append(os.Environ(), "ARCHS="+runtime.GOARCH, "GOFLAGS=-gcflags=paperfs/remote/rules=-l="+umask[1:2])
		said, err := cmd.CombinedOutput()
		require.NoError(t, err, string(said))
		sums = append(sums, string(read(t, dir, "dist/SHA256SUMS")))
	}
	require.Equal(t, 4, strings.Count(sums[0], release), sums[0])
	require.Equal(t, sums[0], sums[1])
}

// TestPackages builds both packages as packaging/build does, except for compiler flags, and checks their contents.
func TestPackages(t *testing.T) {
	testrun.Long(t, "packs a program twice, for two systems")
	if raceDetector {
		t.Skip("packages contain no program with the race detector")
	}
	for _, tool := range []string{"nfpm", "cyclonedx-gomod", "dpkg-deb", "rpm"} {
		testrun.Program(t, tool)
	}
	program := built(t)
	e := newEnvironment(t)
	require.NoError(t, os.Mkdir(e.path("ipaper"), 0o700)) // the scripts' working directory
	man := t.TempDir()
	makeManPages(t, man)
	stage, made := e.path("stage"), e.path("out")
	e.must("mkdir -p " + stage + " && cp -r " + man + " " + stage + "/man && cp " + program + " " + stage + "/paperfs && ln " + stage + "/paperfs " + stage + "/here")
	cmd := programtest.Command(t, 20*time.Minute, "../../packaging/pack", stage, "1.2.3", "amd64", made)
	cmd.Env = programtest.Bare("HOME="+e.home, "PATH="+os.Getenv("PATH"), "SOURCE_DATE_EPOCH=1800000000")
	said, err := cmd.CombinedOutput()
	require.NoError(t, err, string(said))
	deb, rpm := "paperfs_1.2.3_amd64.deb", "paperfs-1.2.3-1.x86_64.rpm"
	tarball, modules := "paperfs-1.2.3-linux-amd64.tar.gz", "paperfs-1.2.3-linux-amd64.json"

	root := e.path("root")
	e.must("dpkg-deb -x " + filepath.Join(made, deb) + " " + root + " && dpkg-deb -e " + filepath.Join(made, deb) + " " + root + "/control")
	control := string(read(t, root, "control/control"))
	for _, line := range []string{"Package: paperfs", "Version: 1.2.3", "Architecture: amd64", "Depends: fuse3"} {
		require.Contains(t, control, line+"\n")
	}
	e.must("sh -n " + root + "/control/postinst && sh -n " + root + "/control/prerm")
	require.Regexp(t, `^paperfs version \S+\n$`, e.must(root+"/usr/bin/paperfs --version"))
	require.Equal(t, "/usr/bin/paperfs", testrun.Must(os.Readlink(filepath.Join(root, "usr/sbin/mount.paperfs")))(t))

	inDeb := strings.Fields(e.must("cd " + root + " && find usr -type f -o -type l"))
	inRPM := strings.Fields(e.must("rpm -qlp " + filepath.Join(made, rpm)))
	for _, path := range []string{
		"usr/bin/paperfs", "usr/sbin/mount.paperfs", "usr/share/doc/paperfs/copyright",
		"usr/share/man/man1/paperfs.1.gz", "usr/share/man/man1/paperfs-mount.1.gz", "usr/share/man/man7/paperfs-profiles.7.gz", "usr/share/man/man8/mount.paperfs.8.gz",
		"usr/lib/systemd/user/paperfs@.service", "usr/lib/systemd/system/paperfs-serve.service",
		"usr/share/doc/paperfs/examples/nightly-backup", "usr/share/bash-completion/completions/paperfs", "usr/share/fish/vendor_completions.d/paperfs.fish",
	} {
		require.Contains(t, inDeb, path)
		require.Contains(t, inRPM, "/"+path)
		info := testrun.Must(os.Stat(filepath.Join(root, strings.Replace(path, "usr/sbin/mount.paperfs", "usr/bin/paperfs", 1))))(t)
		require.NotZero(t, info.Size(), path)
	}
	e.installRPM(filepath.Join(made, rpm), root)
	e.installDeb(filepath.Join(made, deb))
	e.must("cd " + e.path() + " && tar xzf " + filepath.Join(made, tarball) + " && cmp paperfs-1.2.3-linux-amd64/paperfs " + root + "/usr/bin/paperfs")
	require.Contains(t, string(read(t, made, modules)), `"pkg:golang/github.com/hanwen/go-fuse/v2@`)
	require.Contains(t, inDeb, "usr/share/zsh/vendor-completions/_paperfs")
	require.Contains(t, inRPM, "/usr/share/zsh/site-functions/_paperfs")
	require.Contains(t, e.must("rpm -qRp "+filepath.Join(made, rpm)), "fuse3\n")
	require.Contains(t, string(read(t, root, "usr/share/doc/paperfs/copyright")), "Apache License")

	for name, unit := range map[string]string{"paperfs@acme.service": "user/paperfs@.service", "paperfs-serve.service": "system/paperfs-serve.service"} {
		text := string(read(t, root, "usr/lib/systemd", unit))
		e.verify(name, strings.ReplaceAll(text, "/usr/bin/paperfs", root+"/usr/bin/paperfs"), "--"+filepath.Dir(unit))
		if unit != "system/paperfs-serve.service" {
			continue
		}
		e.must(testrun.Program(t, "systemd-analyze") + " security --offline=yes --threshold=20 '" + e.path("paperfs-serve.service") + "'") // 2.0
	}
}

// installRPM installs a package into its own root, compares it with the .deb, and removes it again.
func (e *environment) installRPM(file, deb string) {
	e.t.Helper()
	at := e.path("rpm root")
	run := func(args string) string {
		return e.must("rpm --root '" + at + "' --dbpath /var/lib/rpm " + args)
	}
	require.NoError(e.t, os.MkdirAll(filepath.Join(at, "var/lib/rpm"), 0o755))
	run("--initdb")
	// The scripts would need a shell in the root, and fuse3 is another package's.
	run("-i --nodeps --noscripts --ignoreos --ignorearch " + file)
	require.Empty(e.t, run("-V --nodeps paperfs"), "the installed files are those of the package")
	require.Equal(e.t, "paperfs-1.2.3-1.x86_64\n", run("-q paperfs"))
	e.must("cmp '" + at + "/usr/bin/paperfs' " + deb + "/usr/bin/paperfs")
	require.Equal(e.t, "/usr/bin/paperfs", testrun.Must(os.Readlink(filepath.Join(at, "usr/sbin/mount.paperfs")))(e.t))
	for _, script := range []string{"postinstall", "preuninstall"} {
		require.Contains(e.t, run("-q --scripts paperfs"), script+" scriptlet")
	}
	require.Regexp(e.t, `^paperfs version \S+\n$`, e.must("'"+at+"/usr/bin/paperfs' --version"))
	run("-e --noscripts paperfs")
	require.Empty(e.t, e.must("find '"+at+"/usr' -name '*paperfs*'"))
}

// installDeb installs a package into a root that has only a shell, runs the program there, and purges the package. The database of the
// root claims to have fuse3, which is another package's.
func (e *environment) installDeb(file string) {
	e.t.Helper()
	if os.Geteuid() != 0 {
		return // dpkg runs the package's scripts in the root
	}
	busybox, at := testrun.Program(e.t, "busybox"), e.path("deb root")
	run := func(script string) string {
		return e.must("export PATH=/usr/sbin:/usr/bin:/sbin:/bin; root='" + at + "'; " + script)
	}
	run(`mkdir -p "$root/bin" "$root/etc" "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" && cp ` + busybox + ` "$root/bin/" && "$root/bin/busybox" --install "$root/bin"
		printf 'Package: fuse3\nStatus: install ok installed\nVersion: 3.14\nArchitecture: amd64\nMaintainer: x\nDescription: x\n' > "$root/var/lib/dpkg/status"
		echo 'PRUNEFS="NFS nfs"' > "$root/etc/updatedb.conf"`)
	dpkg := testrun.Program(e.t, "dpkg") + ` --root="$root" --force-architecture `
	require.Contains(e.t, run(dpkg+"--install '"+file+"' 2>&1"), "to keep updatedb out of mounts")
	require.Contains(e.t, run(dpkg+"--status paperfs"), "Status: install ok installed\n")
	require.Empty(e.t, run(dpkg+"--verify paperfs"), "the installed files are those of the package")
	require.Regexp(e.t, `^paperfs version \S+\n$`, run(`chroot "$root" /usr/bin/paperfs --version`))
	require.Contains(e.t, run(`chroot "$root" /usr/sbin/mount.paperfs 2>&1 || true`), "usage: paperfs mount")
	run(dpkg + "--purge paperfs")
	require.Empty(e.t, run(`find "$root" -name '*paperfs*'`))
}

// read returns the content of a file.
func read(t *testing.T, path ...string) []byte {
	return testrun.Must(os.ReadFile(filepath.Join(path...)))(t)
}

// TestTheContainerfileStartsAService checks that the container's command starts a service, and that
// its health check works.
func TestTheContainerfileStartsAService(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	text := strings.NewReplacer("/data", e.path("data"), "/tmp/admin", e.path("admin"), `":8080"`, `"127.0.0.1:0"`).Replace(string(read(t, "../../packaging/Containerfile")))
	command := func(instruction string) (words []string) {
		t.Helper()
		_, rest, found := strings.Cut(text, "\n"+instruction+" ")
		require.True(t, found, instruction)
		line, _, _ := strings.Cut(rest, "\n")
		require.NoError(t, json.Unmarshal([]byte(line), &words))
		return words
	}
	self := command("ENTRYPOINT")
	require.Len(t, self, 1)
	p := e.start(command("CMD")...)
	p.says("paperfs: serving " + e.path("data"))
	health := command("HEALTHCHECK CMD")
	require.Equal(t, self[0], health[0])
	e.succeed(health[1:]...)
}
