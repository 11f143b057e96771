package main

import (
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/fs/mountpoint"
)

func TestWrongCommandLinesAreUsageErrors(t *testing.T) {
	e := newEnvironment(t)
	for says, args := range map[string][]string{
		"unknown command": {"frobnicate"},
		"unknown flag":    {"mount", "--frobnicate", "x"},
		"3 arguments were given. Write: paperfs mount [PROFILE] MOUNTPOINT\n": {"mount", "acme", "dir", "more"},
		"0 arguments were given. Write: paperfs status MOUNTPOINT\n":          {"status"},
		"0 arguments were given. Write: paperfs config add":                   {"config", "add"},
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
		"run: paperfs config add NAME --url http://x.example; to use it once, pass --url\n": {"mount", "http://x.example"},
		"https://x.example is an address":                              {"mount", "https://x.example", "dir"},
		"--metrics-listen 99":                                          {"mount", "--metrics-listen", "99", "dir"},
		"--metrics-listen 127.0.0.1:port":                              {"mount", "--metrics-listen", "127.0.0.1:port", "dir"},
		"--metrics-listen 127.0.0.1:7777777":                           {"mount", "--metrics-listen", "127.0.0.1:7777777", "dir"},
		"no regular file: name one, or journal":                        {"mount", "--log-file", "/dev/zero", "dir"},
		"--data is empty: give a value":                                {"mount", "--data", "", "dir"},
		"--password-file is empty":                                     {"mount", "--password-file", "", "dir"},
		"--ca-file is empty":                                           {"mount", "--ca-file", "", "dir"},
		"--log-file is empty":                                          {"mount", "--log-file", "", "dir"},
		"-o has both ro and rw: give one":                              {"mount", "-o", "ro,rw", "dir"},
		"--password-file and --password-command are both set: set one": {"mount", "--url", "https://x.example", "--username", "me", "--password-file", "x", "--password-command", "y", "dir"},
		"no regular file: the profiles":                                {"mount", "--config", "/", "acme", "dir"},
		"readonly":                                                     {"admin", "readonly", "maybe"},
		"--role":                                                       {"admin", "account", "add", "x", "--role", "king"},
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

// TestPasswordOfAPipe: what is written into it counts, and one that nobody writes into is not
// waited for without end.
func TestPasswordOfAPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	limit := pipeLimit
	t.Cleanup(func() { pipeLimit = limit })
	pipeLimit = patience
	writer := exec.Command("sh", "-c", `printf secret > "$1"`, "sh", pipe)
	require.NoError(t, writer.Start())
	password, err := readPassword(pipe)
	require.NoError(t, err)
	require.NoError(t, writer.Wait())
	require.Equal(t, "secret", password)
	pipeLimit = 10 * time.Millisecond
	_, err = readPassword(pipe)
	require.EqualError(t, err, pipe+" is a pipe, and no password was written into it within 10ms")

	unlocking, err := os.OpenFile(pipe, os.O_RDWR, 0)
	require.NoError(t, err)
	time.AfterFunc(20*pipeLimit, func() { // somebody unlocks something meanwhile
		_, _ = unlocking.WriteString("secret\n")
		unlocking.Close()
	})
	password, err = readPassword(pipe)
	require.NoError(t, err)
	require.Equal(t, "secret", password)

	f, err := os.OpenFile(pipe, os.O_RDWR|syscall.O_NONBLOCK, 0)
	require.NoError(t, err)
	defer f.Close()
	_, err = readPipe(f, pipeLimit, pipeLimit)
	require.EqualError(t, err, pipe+" is a pipe, and who has it open did not write a password and close it within 10ms")
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
