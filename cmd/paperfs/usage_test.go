package main

import (
	"os"
	"os/user"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/fs/mountpoint"
)

func TestWrongCommandLinesAreUsageErrors(t *testing.T) {
	e := newEnvironment(t)
	for says, args := range map[string][]string{
		"unknown command":          {"frobnicate"},
		"unknown flag":             {"mount", "--frobnicate", "x"},
		"accepts between 1 and 2":  {"mount", "acme", "dir", "more"},
		"no profile \"acme\"":      {"mount", "acme", "dir"},
		"--umask":                  {"mount", "--umask", "9", "dir"},
		"--log-level":              {"mount", "--log-level", "loud", "dir"},
		"--local \"a/b\" is no":    {"mount", "--local", "a/b", "dir"},
		"--cache-size":             {"mount", "--cache-size", "1,5GiB", "dir"},
		"--rpm":                    {"mount", "--rpm", "-7", "dir"},
		"not both":                 {"mount", "--root-id", "7", "--root-url", "/x/", "dir"},
		"--tree-form":              {"serve", "--tree-form", "odd"},
		"--clock":                  {"serve", "--clock", "noon"},
		"--tls-cert and --tls-key": {"serve", "--tls-cert", "x"},
		"which command":            {"admin"},
		"is it status, or stat?":   {"statu"},
		"run: paperfs config add NAME --url http://x.example; for once, give it as --url\n": {"mount", "http://x.example"},
		"https://x.example is an address":       {"mount", "https://x.example", "dir"},
		"--metrics-listen 99":                   {"mount", "--metrics-listen", "99", "dir"},
		"--metrics-listen 127.0.0.1:port":       {"mount", "--metrics-listen", "127.0.0.1:port", "dir"},
		"--metrics-listen 127.0.0.1:7777777":    {"mount", "--metrics-listen", "127.0.0.1:7777777", "dir"},
		"no regular file: name one, or journal": {"mount", "--log-file", "/dev/zero", "dir"},
		"readonly":                              {"admin", "readonly", "maybe"},
		"--role":                                {"admin", "account", "add", "x", "--role", "king"},
	} {
		e.fail(exitUsage, says, args...)
	}
	if !mountpoint.OthersAllowed() { // not for root
		e.fail(exitUsage, "--allow-other needs user_allow_other in /etc/fuse.conf, if it is not root who mounts. Run as root: echo user_allow_other >> /etc/fuse.conf\n", "mount", "--allow-other", "dir")
	}
	entries, err := os.ReadDir(e.home)
	require.NoError(t, err)
	require.Empty(t, entries, "nothing half-done stays behind")
}

func TestHalfConfiguredServiceIsAUsageError(t *testing.T) {
	for says, vars := range map[string][][2]string{
		"PAPERFS_URL is not set":                   {{"PAPERFS_USERNAME", "me"}},
		"PAPERFS_USERNAME is not set":              {{"PAPERFS_URL", "https://x.example"}},
		"neither PAPERFS_PASSWORD nor":             {{"PAPERFS_URL", "https://x.example"}, {"PAPERFS_USERNAME", "me"}},
		"both set":                                 {{"PAPERFS_URL", "https://x.example"}, {"PAPERFS_USERNAME", "me"}, {"PAPERFS_PASSWORD", "a"}, {"PAPERFS_PASSWORD_FILE", "b"}},
		"PAPERFS_PASSWORD_FILE: open no-such-file": {{"PAPERFS_URL", "https://x.example"}, {"PAPERFS_USERNAME", "me"}, {"PAPERFS_PASSWORD_FILE", "no-such-file"}},
		"write https://x.example\n":                {{"PAPERFS_URL", "https://x.example/V2"}, {"PAPERFS_USERNAME", "me"}, {"PAPERFS_PASSWORD", "a"}},
		"write https://x.example/base\n":           {{"PAPERFS_URL", "https://x.example//base/"}, {"PAPERFS_USERNAME", "me"}, {"PAPERFS_PASSWORD", "a"}},
		"PAPERFS_RPM is":                           {{"PAPERFS_RPM", "many"}},
		"--uid -5: give a number":                  {{"PAPERFS_UID", "-5"}},
	} {
		e := newEnvironment(t)
		for _, v := range vars {
			e.set(v[0], v[1])
		}
		e.fail(exitUsage, says, "mount", "dir")
		require.NoDirExists(t, e.path("dir"))
	}
}

func TestDataOfAnotherServiceIsAUsageError(t *testing.T) {
	e := newEnvironment(t)
	e.set("PAPERFS_URL", "https://x.example")
	e.set("PAPERFS_USERNAME", "me")
	e.set("PAPERFS_PASSWORD", "secret")
	e.fail(exitUsage, "give one of them", "mount", "--data", "data", "dir")
}

func TestPasswordFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "password")
	for content, want := range map[string]string{"secret\n": "secret", "secret": "secret", " se cret \r\n": " se cret "} {
		require.NoError(t, os.WriteFile(file, []byte(content), 0o600))
		got, err := (&Config{PasswordFile: file}).password()
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	require.NoError(t, os.WriteFile(file, []byte("\n"), 0o600))
	_, err := (&Config{PasswordFile: file}).password()
	require.ErrorContains(t, err, "is empty")
	for _, lines := range []string{"a\nb\n", "a\n\n", "\na"} {
		require.NoError(t, os.WriteFile(file, []byte(lines), 0o600))
		_, err := (&Config{PasswordFile: file}).password()
		require.ErrorContains(t, err, file+" has several lines: put the password alone into a file")
	}
	for _, mode := range []os.FileMode{0o640, 0o604} {
		require.NoError(t, os.Chmod(file, mode))
		_, err := (&Config{PasswordFile: file}).password()
		require.ErrorContains(t, err, "others can read "+file+". Run: chmod 600 "+file)
	}
}

func TestRequestLimitComesFromFlagThenEnvironmentThenKindOfService(t *testing.T) {
	for _, c := range []struct {
		env  string
		args []string
		want int
	}{
		{"", nil, 0},
		{"", []string{"--url", "https://x.example"}, 45},
		{"10", []string{"--url", "https://x.example"}, 10},
		{"0", []string{"--url", "https://x.example"}, 0},
		{"10", []string{"--url", "https://x.example", "--rpm", "20"}, 20},
		{"10", []string{"--url", "https://x.example", "--rpm", "0"}, 0},
	} {
		t.Setenv("PAPERFS_RPM", c.env)
		config := NewConfig()
		flags := newMountCommand(config).Flags()
		require.NoError(t, flags.Parse(c.args))
		require.NoError(t, config.settle(flags, ""))
		got, err := config.rpm()
		require.NoError(t, err)
		require.Equal(t, c.want, got, c)
	}
}

func TestDefaultDataDirectoryIsTheUsersNow(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", "/somewhere/data")
	require.Equal(t, "/somewhere/data/paperfs", NewConfig().Data)
}

func TestVersion(t *testing.T) {
	require.Regexp(t, `^paperfs \S+ go1\.\S+`, newEnvironment(t).succeed("version"))
}

func TestCommandsThatNeedAMount(t *testing.T) {
	e := newEnvironment(t)
	for _, command := range []string{"umount", "status", "stat", "why", "refresh"} {
		e.fail(exitNotMounted, "no paperfs is mounted there", command, e.home)
	}
}

func TestEmptyMountPointIsAUsageError(t *testing.T) {
	newEnvironment(t).fail(exitUsage, "the mount point is empty", "mount", "")
}

// TestWithoutHOME: programs like cron and system units leave it out, and / is nobody's home.
func TestWithoutHOME(t *testing.T) {
	me, err := user.Current()
	require.NoError(t, err)
	e := newEnvironment(t)
	e.set("HOME", "")
	for _, dir := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"} {
		e.set(dir, "")
	}
	e.fail(exitUsage, me.HomeDir+"/.config/paperfs/config.toml", "mount", "no such profile", "dir")
}
