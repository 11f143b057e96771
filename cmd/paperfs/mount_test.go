package main

import (
	"bufio"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/control"
	"paperfs/fs/inode"
	"paperfs/fs/mountpoint"
	"paperfs/fs/programtest"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
)

// mount starts a mount on the directory "ipaper" and waits until it is mounted.
func (e *environment) mount(args ...string) *process {
	e.t.Helper()
	e.detachLater()
	p := e.start(append(append([]string{"mount"}, args...), e.path("ipaper"))...)
	p.says("paperfs: mounted ")
	return p
}

// mountProxied mounts a service of its own behind a proxy, which counts its calls and can break them.
func mountProxied(t *testing.T) (*environment, *servicetest.Fixture, *servicetest.Proxy) {
	t.Helper()
	e, f := newEnvironment(t), servicetest.Start(t)
	proxy := servicetest.NewProxy(t, f.URL)
	e.set("PAPERFS_URL", proxy.URL)
	e.set("PAPERFS_USERNAME", f.Username)
	e.set("PAPERFS_PASSWORD", f.Password)
	e.mount("--allow-delete", "--rpm=0")
	return e, f, proxy
}

// detachLater detaches the mount at the end of the test, whatever happens.
func (e *environment) detachLater() {
	e.t.Helper()
	if _, err := os.Stat("/dev/fuse"); err != nil {
		testrun.Missing(e.t, "/dev/fuse")
	}
	if os.Geteuid() != 0 {
		testrun.Program(e.t, "fusermount3")
	}
	dir := e.path("ipaper")
	e.t.Cleanup(func() {
		if _, mounted, _ := mountpoint.At(dir); mounted {
			_ = mountpoint.Detach(dir)
		}
	})
}

// sh runs a script in the mount. The test itself does not access the mount, so a mount that hangs
// fails the test without blocking it.
func (e *environment) sh(script string) (string, error) {
	cmd := programtest.Command(e.t, testrun.Patience(), "sh", "-c", `cd "$1" && `+script, "sh", e.path("ipaper"))
	cmd.Env = e.vars
	out, err := cmd.CombinedOutput()
	programtest.RequirePrograms(e.t, err, string(out))
	return string(out), err
}

func (e *environment) must(script string) string {
	e.t.Helper()
	out, err := e.sh(script)
	require.NoError(e.t, err, out)
	return out
}

// hold starts a process that keeps the mount busy, and returns a function that ends it.
func (e *environment) hold() (pid int, release func()) {
	e.t.Helper()
	cmd := programtest.Command(e.t, 0, "sh", "-c", "echo standing; read x")
	if e.user == nil {
		cmd.Dir = e.path("ipaper", "papers")
	} else { // only that user may enter
		cmd.Args[2] = "cd " + e.path("ipaper", "papers") + " && " + cmd.Args[2]
		cmd.SysProcAttr.Credential = e.user
	}
	in := testrun.Must(cmd.StdinPipe())(e.t)
	out := testrun.Must(cmd.StdoutPipe())(e.t)
	require.NoError(e.t, cmd.Start())
	testrun.Must(out.Read(make([]byte, 1)))(e.t)
	release = func() {
		in.Close()
		_ = cmd.Wait()
	}
	e.t.Cleanup(release)
	return cmd.Process.Pid, release
}

func TestMountWithNothingConfigured(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	p := e.mount()
	line, _, _ := strings.Cut(p.stderr.String(), "\n") // nothing comes before it
	require.Regexp(t, `^paperfs: mounted http://127\.0\.0\.1:\d+ \(embedded service, data in `+e.path(".local/share/paperfs")+`\) on `+e.path("ipaper")+`; \^C unmounts$`, line)
	e.must("mkdir papers/Catalogues papers/Catalogues/Spring.paper")
	require.Equal(t, "/catalogues/spring/\n", e.must("cat papers/Catalogues/Spring.paper/url"))
	require.Regexp(t, `^/dev|^http://127`, e.must("df --output=source . | tail -1"))
	p.ends(syscall.SIGINT)
	_, mounted := testrun.Must2(mountpoint.At(e.path("ipaper")))(t)
	require.False(t, mounted)

	p = e.mount()
	require.Equal(t, "/catalogues/spring/\n", e.must("cat papers/Catalogues/Spring.paper/url"))
	require.Equal(t, line, p.says("paperfs: mounted "), "the next mount has the same port")
}

func TestStatusStatWhyRefresh(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	p := e.mount()
	e.must("mkdir papers/Catalogues && ls papers")

	var s control.Status
	require.NoError(t, json.Unmarshal([]byte(e.succeed("status", "--json", e.path("ipaper"))), &s))
	require.Equal(t, p.cmd.Process.Pid, s.PID)
	require.Equal(t, e.path("ipaper"), s.Mountpoint)
	require.Equal(t, e.path(".local/share/paperfs"), s.Service.Data)
	require.EqualValues(t, 1, s.Requests.ByOperation["CreateCategory"])
	require.Regexp(t, `tree: +1 categories and papers below /, read `, e.succeed("status", e.path("ipaper")))
	e.fail(cli.ExitNotMounted, "it lies in the mount", "status", e.path("ipaper", "papers"))

	var d inode.Description
	require.NoError(t, json.Unmarshal([]byte(e.succeed("stat", "--json", e.path("ipaper/papers/Catalogues"))), &d))
	require.Equal(t, inode.Description{Path: "papers/Catalogues", Kind: "category", State: inode.Published, ID: d.ID, URL: "/catalogues/", Address: s.Service.URL + "/catalogues/"}, d)
	require.Regexp(t, `kind: +category\nstate: +published\nid: +\d+\nurl: +/catalogues/\naddress: +http://.*/catalogues/\n`, e.succeed("stat", e.path("ipaper/papers/Catalogues")))
	e.must("mkdir papers/Catalogues/Spring.paper")
	require.Regexp(t, `publication: +public: a paper without a period is public at once; `, e.succeed("stat", e.path("ipaper/papers/Catalogues/Spring.paper")))
	e.fail(cli.ExitFailure, "no such file", "stat", e.path("ipaper/papers/None"))

	require.Contains(t, e.succeed("why", e.path("ipaper/papers/Catalogues")), "no failure")
	_, err := e.sh("mkdir 'papers/Catalogues/ blank'")
	require.Error(t, err)
	require.Contains(t, e.succeed("why", e.path("ipaper/papers/Catalogues/ blank")), "mkdir /papers/Catalogues/ blank failed with EINVAL")

	asked := func() uint64 {
		var s control.Status
		require.NoError(t, json.Unmarshal([]byte(e.succeed("status", "--json", e.path("ipaper"))), &s))
		return s.Requests.ByOperation["GetAllPapers"]
	}
	before := asked()
	e.succeed("refresh", e.path("ipaper"))
	require.Eventually(t, func() bool { e.must("ls -R papers"); return asked() > before }, testrun.Patience(), pause)
	e.fail(cli.ExitFailure, "papers/None: no such file", "refresh", e.path("ipaper/papers/None"))
	before = asked()
	p.signal(syscall.SIGUSR1)
	require.Eventually(t, func() bool { e.must("ls -R papers"); return asked() > before }, testrun.Patience(), pause)
}

func TestSignalsUnmount(t *testing.T) {
	t.Parallel()
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		e := newEnvironment(t)
		p := e.mount()
		p.signal(s)
		require.Equal(t, cli.ExitOK, p.wait(), s)
		require.NoError(t, os.Remove(e.path("ipaper")), "nothing is mounted there now")
	}
}

func TestSignalWhileSomethingHoldsTheMount(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	p := e.mount()
	pid, release := e.hold()
	p.signal(syscall.SIGINT)
	p.says("(process " + strconv.Itoa(pid) + "): working directory " + e.path("ipaper/papers"))
	release()
	require.Equal(t, cli.ExitOK, p.wait())

	p = e.mount()
	e.hold()
	p.signal(syscall.SIGTERM)
	p.says("at most 30s")
	p.signal(syscall.SIGTERM)
	require.Equal(t, cli.ExitDetached, p.wait())
	require.NoError(t, os.Remove(e.path("ipaper")), "nothing is mounted there now")
}

func TestUmount(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	p := e.mount()
	pid, release := e.hold()
	e.fail(cli.ExitBusy, "process "+strconv.Itoa(pid), "umount", e.path("ipaper"))
	release()
	e.fail(cli.ExitNotMounted, "it lies in the mount", "umount", e.path("ipaper/papers"))
	e.succeed("umount", e.path("ipaper"))
	select {
	case <-p.ended:
	default:
		// umount waited for the process; the test may notice its end only later.
		require.Equal(t, cli.ExitOK, p.wait())
	}
	e.fail(cli.ExitNotMounted, "no paperfs is mounted", "umount", e.path("ipaper"))
	again := e.mount() // at once: the account is free
	again.ends(syscall.SIGINT)
}

func TestOneMountAnAccount(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount()
	e.fail(cli.ExitHeld, "paperfs umount "+e.path("ipaper"), "mount", e.path("second"))
	require.NoDirExists(t, e.path("second"))
	e.fail(cli.ExitMountpoint, "paperfs umount "+e.path("ipaper"), "mount", e.path("ipaper"))
}

func TestMountPointsThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	require.NoError(t, os.WriteFile(e.path("file"), nil, 0o644))
	require.NoError(t, os.MkdirAll(e.path("full", "sub"), 0o755))
	e.fail(cli.ExitMountpoint, "is not a directory", "mount", e.path("file"))
	e.fail(cli.ExitMountpoint, "is not empty", "mount", e.path("full"))
	e.fail(cli.ExitMountpoint, "mkdir -p", "mount", e.path("a", "b"))
	e.fail(cli.ExitMountpoint, "would hide "+e.path("over", "data"), "mount", "--data", e.path("over", "data"), e.path("over"))
	require.NoDirExists(t, e.path("over"))
	require.NoDirExists(t, e.path(".local"), "a refused mount creates nothing")
}

// TestStaleMount checks that the next mount or umount removes a stale mount.
func TestStaleMount(t *testing.T) {
	t.Parallel()
	for _, mend := range []string{"mount", "umount", "umount --force"} {
		e := newEnvironment(t)
		p := e.mount()
		e.hold()
		require.NoError(t, p.cmd.Process.Kill())
		p.wait()
		e.fail(cli.ExitStale, "Run: paperfs umount "+e.path("ipaper"), "status", e.path("ipaper"))
		if words := strings.Fields(mend); words[0] == "umount" {
			e.succeed(append(words, e.path("ipaper"))...)
		}
		again := e.mount()
		if mend == "mount" {
			again.says("removed the mount that a killed process had left at " + e.path("ipaper"))
		}
		e.must("ls papers")
		again.ends(syscall.SIGINT)
	}
}

// TestAMountThatNobodyKnowsIsLeftAlone checks that mount leaves another home's mount alone, because
// it may be alive.
func TestAMountThatNobodyKnowsIsLeftAlone(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount()
	other := newEnvironment(t)
	other.fail(cli.ExitMountpoint, "is already a mount of paperfs", "mount", e.path("ipaper"))
	e.must("ls papers")
	other.succeed("umount", "--force", e.path("ipaper"))
	e.fail(cli.ExitNotMounted, "no paperfs is mounted", "umount", e.path("ipaper"))
}

func TestMountOfAServiceElsewhere(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	_, env := e.serving()
	require.NoError(t, os.WriteFile(e.path("password"), []byte(env["PAPERFS_PASSWORD"]+"\n"), 0o600))
	e.fail(cli.ExitDataHeld, "client.env", "mount", "--data", e.path("data"), e.path("ipaper"))
	e.set("PAPERFS_URL", env["PAPERFS_URL"])
	e.set("PAPERFS_USERNAME", env["PAPERFS_USERNAME"])
	e.set("PAPERFS_PASSWORD_FILE", e.path("password"))
	e.fail(cli.ExitNoRoot, "--root-url", "mount", "--root-url", "/nowhere/", e.path("ipaper"))
	e.fail(cli.ExitNoRoot, "--root-id", "mount", "--root-id", "4711", e.path("ipaper"))
	made, err := http.PostForm(env["PAPERFS_URL"]+"/V2/Paper.asmx/CreatePaper", url.Values{"plUsername": {env["PAPERFS_USERNAME"]}, "plPassword": {env["PAPERFS_PASSWORD"]},
		"parentID": {"1"}, "name": {"P"}, "urlName": {"p"}})
	require.NoError(t, err)
	made.Body.Close()
	e.fail(cli.ExitNoRoot, "must name a category", "mount", "--root-id", "2", e.path("ipaper"))
	require.NoDirExists(t, e.path("ipaper"))
	p := e.mount("--root-id", "1", "--read-only")
	require.Contains(t, p.says("paperfs: mounted "), "mounted "+env["PAPERFS_URL"]+" on")
	_, err = e.sh("mkdir papers/X")
	require.Error(t, err)
	require.NotContains(t, e.must("cat .paperfs/status; mount"), env["PAPERFS_PASSWORD"])
	require.NotContains(t, p.stderr.String(), env["PAPERFS_PASSWORD"])
}

func TestMountsThatTheServiceDoesNotAllow(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	_, env := e.serving()
	e.set("PAPERFS_URL", env["PAPERFS_URL"])
	e.set("PAPERFS_USERNAME", env["PAPERFS_USERNAME"])
	e.set("PAPERFS_PASSWORD", "wrong")
	e.fail(cli.ExitRefused, "Check PAPERFS_USERNAME and the password", "mount", e.path("ipaper"))
	e.set("PAPERFS_URL", "http://"+servicetest.Refusing(t))
	e.fail(cli.ExitUnreachable, "Check PAPERFS_URL", "mount", e.path("ipaper"))
	e.set("PAPERFS_URL", "http://papers.example")
	e.fail(cli.ExitUsage, "allow plain http", "mount", e.path("ipaper"))
	require.NoDirExists(t, e.path("ipaper"))
}

func TestRootMountsWithoutFusermount(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	e := newEnvironment(t)
	bin := filepath.Join(t.TempDir(), "bin")
	require.NoError(t, os.Mkdir(bin, 0o755))
	e.set("PATH", bin)
	p := e.mount()
	e.must("/bin/ls papers")
	p.ends(syscall.SIGTERM)
}

// TestMountOutlivesTheReaderOfItsLog checks that a mount continues if its log pipe is closed.
func TestMountOutlivesTheReaderOfItsLog(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.detachLater()
	read, write := testrun.Must2(os.Pipe())(t)
	defer read.Close()
	e.log = write
	p := e.start("mount", e.path("ipaper"))
	e.log = nil
	write.Close()
	_, err := bufio.NewReader(read).ReadString('\n') // the line that says it is mounted
	require.NoError(t, err)
	read.Close()
	_, err = e.sh("mkdir 'papers/ blank'") // logged as a failure
	require.Error(t, err)
	e.must("ls papers")
	p.ends(syscall.SIGINT)
}

// TestMountAsAnOrdinaryUser checks that mounting with fusermount3 does not need root.
func TestMountAsAnOrdinaryUser(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("without root, every test checks this")
	}
	e := newEnvironment(t)
	e.ordinaryUser()
	nobody := e.user.Uid
	require.NoError(t, os.Chown(e.home, int(nobody), int(nobody)))
	p := e.mount()
	p.ends(syscall.SIGINT)
	p = e.mount()
	pid, release := e.hold()
	e.fail(cli.ExitBusy, "process "+strconv.Itoa(pid), "umount", e.path("ipaper"))
	release()
	owner := e.user
	e.user = &syscall.Credential{Uid: nobody - 1, Gid: nobody - 1}
	e.fail(cli.ExitFailure, "that user, or root, can unmount it", "umount", e.path("ipaper"))
	e.user = owner
	e.succeed("umount", e.path("ipaper"))
	require.Equal(t, cli.ExitOK, p.wait())
	p = e.mount()
	require.NoError(t, p.cmd.Process.Kill())
	p.wait()
	e.user = &syscall.Credential{Uid: nobody - 1, Gid: nobody - 1}
	_, said, _ := e.run("doctor", e.path("ipaper"))
	require.Contains(t, said, "warning  mounts: "+e.path("ipaper")+" cannot be examined: it belongs to user 65534, and only that user can find out", "doctor must not say that a process serves the mount")
	e.user = owner
	p = e.mount() // removes the stale mount
	p.ends(syscall.SIGTERM)
}

// TestFailedUploadIsPutBack checks that refused content is in failed/ with the reason, and that moving
// it into media/ uploads it again.
func TestFailedUploadIsPutBack(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount("--data", e.path("data"))
	e.must("ls media")
	e.admin("readonly", "on")
	for range 2 {
		out, err := e.sh("echo logo > ../logo.svg && cp ../logo.svg media/")
		require.Error(t, err, "%s", out)
	}
	released := func(name string) { // the kernel sends RELEASE after close has returned
		e.must("until test -e .paperfs/failed/" + name + "; do :; done")
	}
	released("logo.svg")
	require.Equal(t, "logo.svg\n", e.must("ls .paperfs/failed"))
	require.Contains(t, e.must("cat .paperfs/uploads"), `failed ".paperfs/failed/logo.svg" 5 bytes of "media/logo.svg" since`)
	require.Regexp(t, `state: +failed\nlast error: +.*READONLY`, e.succeed("stat", e.path("ipaper/.paperfs/failed/logo.svg")))
	require.Contains(t, e.succeed("why", e.path("ipaper/media/logo.svg")), "READONLY")
	_, err := e.sh("mv .paperfs/failed/logo.svg media/other.svg")
	require.Error(t, err)
	require.Equal(t, "logo.svg\n", e.must("ls .paperfs/failed"), "nothing is lost")

	e.admin("readonly", "off")
	e.must("mv .paperfs/failed/logo.svg media/other.svg")
	require.Equal(t, "other.svg\n", e.must("ls media"))
	require.Equal(t, "logo\n", e.must("cat media/other.svg"))
	require.Empty(t, e.must("ls .paperfs/failed"))
	e.must("echo more >> media/other.svg")
	require.Equal(t, "logo\nmore\n", e.must("cat media/other.svg"))

	e.admin("readonly", "on")
	_, err = e.sh("cp ../logo.svg media/third.svg")
	require.Error(t, err)
	released("third.svg")
	e.must("rm .paperfs/failed/third.svg")
	require.Empty(t, e.must("ls .paperfs/failed"))
}

// TestIgnoredHangupStaysIgnored checks that a mount under nohup outlives its terminal.
func TestIgnoredHangupStaysIgnored(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.detachLater()
	p := e.launch(programtest.Command(e.t, 0, "nohup", program, "mount", e.path("ipaper")))
	p.says("paperfs: mounted ")
	p.signal(syscall.SIGHUP)
	e.must("ls papers")
	p.ends(syscall.SIGTERM)
}
