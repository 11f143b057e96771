package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/doctor"
	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"

	"github.com/stretchr/testify/require"
)

// doctor returns the findings of a check. Other findings on this machine, such as those of other
// tests' mounts, may be failures too.
func (e *environment) doctor(args ...string) (of func(check string) []doctor.Finding) {
	e.t.Helper()
	code, stdout, stderr := e.run(append([]string{"doctor", "--json"}, args...)...)
	var all []doctor.Finding
	require.NoError(e.t, json.Unmarshal([]byte(stdout), &all), stderr)
	failed := slices.ContainsFunc(all, func(f doctor.Finding) bool { return f.Level == doctor.Failure })
	require.Equal(e.t, map[bool]int{true: cli.ExitUnwell, false: cli.ExitOK}[failed], code, stdout)
	return func(check string) (found []doctor.Finding) {
		for _, f := range all {
			if f.Check == check {
				found = append(found, f)
			}
		}
		require.NotEmpty(e.t, found, "%s in %s", check, stdout)
		return found
	}
}

// everything returns all names below a directory, with times and sizes.
func everything(t *testing.T, dir string) map[string]string {
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			all[path] = info.ModTime().String() + info.Mode().String()
			if !d.IsDir() {
				text, err := os.ReadFile(path)
				all[path] += string(text)
				return err
			}
		}
		return err
	}))
	return all
}

func TestDoctorChangesNothing(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.doctor()
	require.Len(t, everything(t, e.home), 1, "doctor creates nothing in an empty home")

	e.succeed("admin", "--data", e.serviceData(), "check")
	before := everything(t, e.home)
	of := e.doctor("--data", e.serviceData(), e.path("new"))
	require.Equal(t, before, everything(t, e.home))
	require.Contains(t, of("data directory")[0].Says, e.serviceData())
	require.NoError(t, os.Rename(filepath.Join(e.serviceData(), "service.db"), e.path("aside")))
	lost := e.doctor("--data", e.serviceData(), e.path("new"))("data directory")[0]
	require.Equal(t, doctor.Failure, lost.Level)
	require.Contains(t, lost.Says, "its database is missing")
	require.Contains(t, lost.Fix, "Restore ")
}

// serviceData returns a data directory that was served once.
func (e *environment) serviceData() string {
	data := e.path("served")
	if _, err := os.Stat(data); err != nil {
		f := servicetest.StartIn(e.t, data)
		f.Stop()
	}
	return data
}

func TestDoctorAsksTheServiceOnce(t *testing.T) {
	t.Parallel()
	f := servicetest.Start(t)
	proxy := servicetest.NewProxy(t, f.URL)
	e := newEnvironment(t)
	e.set("PAPERFS_USERNAME", f.Username)
	require.Contains(t, e.doctor()("settings")[0].Says, "PAPERFS_URL is not set")
	e.set("PAPERFS_URL", proxy.URL)
	e.set("PAPERFS_PASSWORD", "wrong-4711")
	of := e.doctor()
	require.Equal(t, doctor.Failure, of("credentials")[0].Level)
	require.Len(t, proxy.Requests(), 1)
	require.Equal(t, 1, proxy.Count(remote.GetPaperIDFromUrl))
	e.set("PAPERFS_PASSWORD", f.Password)
	_, stdout, _ := e.run("doctor")
	require.Contains(t, stdout, "OK       credentials: accepted; the root is /\n")
	require.NotContains(t, stdout, f.Password)
}

func TestDoctorOfAMountThatIsKilled(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	p := e.mount()
	here := doctor.Finding{Check: "mounts", Level: doctor.OK, Says: e.path("ipaper") + " answers"}
	require.Equal(t, []doctor.Finding{here}, e.doctor(e.path("ipaper"))("mounts"))
	require.Contains(t, e.doctor()("mounts"), here)
	require.Contains(t, e.doctor(e.path("ipaper"))("data directory")[0].Says, e.path(".local/share/paperfs"))

	require.NoError(t, p.cmd.Process.Kill())
	p.wait()
	stale := doctor.Finding{Check: "mounts", Level: doctor.Failure, Says: e.path("ipaper") + " is stale: the process that served it has ended", Fix: "Run: paperfs umount " + e.path("ipaper")}
	require.Contains(t, e.doctor()("mounts"), stale)
	require.Contains(t, e.doctor(e.path("ipaper"))("mounts"), stale)
	e.succeed("umount", e.path("ipaper"))
	require.NotContains(t, e.doctor(e.path("ipaper"))("mounts"), stale)
}

// TestAKeyThatIsRotatedUnderAMount checks that status says so once the service has refused the old key.
func TestAKeyThatIsRotatedUnderAMount(t *testing.T) {
	t.Parallel()
	f := servicetest.Start(t)
	e := newEnvironment(t)
	for name, value := range map[string]string{"URL": f.URL, "USERNAME": f.Username, "PASSWORD": f.Password} {
		e.set("PAPERFS_"+name, value)
	}
	e.mount()
	dir := e.path("ipaper")
	require.NotContains(t, e.succeed("status", dir), "refused:")
	e.succeed("admin", "--data", f.Data, "account", "rotate", f.Username)
	_, err := e.sh("mkdir papers/X")
	require.Error(t, err)
	require.Regexp(t, `(?m)^refused: +.*LOGIN_SECURITY_VIOLATION: The user name or the password is wrong`, e.succeed("status", dir))
}

// TestDoctorOfAMountAsksItsService checks that doctor has a mount find out that its key is refused, which it cannot know before it asks.
func TestDoctorOfAMountAsksItsService(t *testing.T) {
	t.Parallel()
	f := servicetest.Start(t)
	proxy := servicetest.NewProxy(t, f.URL)
	e := newEnvironment(t)
	for name, value := range map[string]string{"URL": proxy.URL, "USERNAME": f.Username, "PASSWORD": f.Password} {
		e.set("PAPERFS_"+name, value)
	}
	e.mount()
	dir := e.path("ipaper")
	require.Equal(t, []doctor.Finding{{Check: "credentials", Level: doctor.OK, Says: proxy.URL + " accepts the account of " + dir}}, e.doctor(dir)("credentials"))
	before := proxy.Count(remote.GetPaperIDFromUrl)
	e.succeed("admin", "--data", f.Data, "account", "rotate", f.Username)
	refused := e.doctor(dir)("credentials")[0]
	require.Equal(t, doctor.Failure, refused.Level)
	require.Contains(t, refused.Says, proxy.URL+" refuses the account of "+dir+": LOGIN_SECURITY_VIOLATION: The user name or the password is wrong")
	require.Contains(t, refused.Fix, "paperfs umount "+dir)
	require.Equal(t, before+1, proxy.Count(remote.GetPaperIDFromUrl))
}

// TestDoctorReadsTheProfiles checks that doctor reports the errors for which other commands refuse
// a profile. A word that is neither a profile nor a directory does not count as a new directory.
func TestDoctorReadsTheProfiles(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.profiles("[acme]\nurl = 'https://a.example'\n")
	e.fail(cli.ExitUsage, "did you mean acme?", "doctor", "acem")
	e.profiles("[acme\n")
	require.Equal(t, doctor.Failure, e.doctor()("profiles")[0].Level)
}

// TestDoctorNamesAPasswordThatOthersCanRead checks that doctor says what a mount would say.
func TestDoctorNamesAPasswordThatOthersCanRead(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	require.NoError(t, os.WriteFile(e.path("key"), []byte("x"), 0o600))
	require.NoError(t, os.Chmod(e.path("key"), 0o640))
	found := e.doctor("--url", "http://127.0.0.1:9", "--username", "me", "--password-file", e.path("key"))("settings")
	require.Equal(t, "--password-file: others can read "+e.path("key")+". Run: chmod 600 "+e.path("key"), found[0].Says)
}
