package main

import (
	"os"
	"os/user"
	"regexp"
	"strings"
	"testing"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/mountpoint"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
)

func TestWrongCommandLinesAreUsageErrors(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	for says, args := range map[string][]string{
		"unknown command": {"frobnicate"},
		"unknown flag":    {"mount", "--frobnicate", "x"},
		"3 arguments given; usage: paperfs mount [PROFILE] MOUNTPOINT\n": {"mount", "acme", "dir", "more"},
		"no arguments given; usage: paperfs why PATH\n":                  {"why"},
		"no arguments given; usage: paperfs config add":                  {"config", "add"},
		"no profile \"acme\"":                                            {"mount", "acme", "dir"},
		"--umask":                                                        {"mount", "--umask", "9", "dir"},
		"--log-level":                                                    {"mount", "--log-level", "loud", "dir"},
		"--local \"a/b\" is no":                                          {"mount", "--local", "a/b", "dir"},
		"--cache-size":                                                   {"mount", "--cache-size", "1,5GiB", "dir"},
		"--rpm":                                                          {"mount", "--rpm", "-7", "dir"},
		"--transfers is 0: give at least 1":                              {"mount", "--transfers", "0", "dir"},
		"paperfs serve takes no arguments, but was given \"/srv/papers\"\n": {"serve", "/srv/papers"},
		"paperfs version takes no arguments, but was given \"a\" \"b\"\n":   {"version", "a", "b"},
		"not both":                 {"mount", "--root-id", "7", "--root-url", "/x/", "dir"},
		"--tree-form":              {"serve", "--tree-form", "odd"},
		"--clock":                  {"serve", "--clock", "noon"},
		"--tls-cert and --tls-key": {"serve", "--tls-cert", "x"},
		"paperfs admin needs a command: tenant, account, field, webhook, readonly, ": {"admin"},
		"did you mean status or stat?":                                                      {"statu"},
		"no command or topic \"reqests\": did you mean requests?":                           {"help", "reqests"},
		"no command or topic \"nonsense\": paperfs help lists them":                         {"help", "nonsense"},
		"run: paperfs config add NAME --url http://x.example; to use it once, pass --url\n": {"mount", "http://x.example"},
		"https://x.example is an address":                                                   {"mount", "https://x.example", "dir"},
		"--metrics-listen 99":                                                               {"mount", "--metrics-listen", "99", "dir"},
		"--metrics-listen 127.0.0.1:port":                                                   {"mount", "--metrics-listen", "127.0.0.1:port", "dir"},
		"--metrics-listen 127.0.0.1:7777777":                                                {"mount", "--metrics-listen", "127.0.0.1:7777777", "dir"},
		"not a regular file: name one, or journal":                                          {"mount", "--log-file", "/dev/zero", "dir"},
		"--data is empty: give a value":                                                     {"mount", "--data", "", "dir"},
		"--password-file is empty":                                                          {"mount", "--password-file", "", "dir"},
		"--ca-file is empty":                                                                {"mount", "--ca-file", "", "dir"},
		"--log-file is empty":                                                               {"mount", "--log-file", "", "dir"},
		"-o has both ro and rw: give one":                                                   {"mount", "-o", "ro,rw", "dir"},
		"--password-file and --password-command are both set: set one":                      {"mount", "--url", "https://x.example", "--username", "me", "--password-file", "x", "--password-command", "y", "dir"},
		"not a regular file: profiles must be":                                              {"mount", "--config", "/", "acme", "dir"},
		"readonly":                                                                          {"admin", "readonly", "maybe"},
		"--listen 8080: ":                                                                   {"serve", "--listen", "8080"},
		"--admin-listen 0.0.0.0:9090: give a loopback address":                              {"serve", "--listen", "127.0.0.1:0", "--admin-listen", "0.0.0.0:9090"},
		"--role": {"admin", "account", "add", "x", "--role", "king"},
	} {
		e.fail(cli.ExitUsage, says, args...)
	}
	if !mountpoint.OthersAllowed() { // root may always use it
		e.fail(cli.ExitUsage, "--allow-other needs user_allow_other in /etc/fuse.conf, unless root mounts. Run as root: echo user_allow_other >> /etc/fuse.conf\n", "mount", "--allow-other", "dir")
	}
	require.Empty(t, testrun.Must(os.ReadDir(e.home))(t), "a refused command leaves nothing")
}

func TestHalfConfiguredServiceIsAUsageError(t *testing.T) {
	t.Parallel()
	for says, vars := range map[string][][2]string{
		"PAPERFS_URL is not set":                              {{"PAPERFS_USERNAME", "me"}},
		"PAPERFS_USERNAME is not set":                         {{"PAPERFS_URL", "https://x.example"}},
		"neither PAPERFS_PASSWORD nor":                        {{"PAPERFS_URL", "https://x.example"}, {"PAPERFS_USERNAME", "me"}},
		"both set":                                            {{"PAPERFS_URL", "https://x.example"}, {"PAPERFS_USERNAME", "me"}, {"PAPERFS_PASSWORD", "a"}, {"PAPERFS_PASSWORD_FILE", "b"}},
		"PAPERFS_PASSWORD_FILE: open no-such-file":            {{"PAPERFS_URL", "https://x.example"}, {"PAPERFS_USERNAME", "me"}, {"PAPERFS_PASSWORD_FILE", "no-such-file"}},
		"write https://x.example\n":                           {{"PAPERFS_URL", "https://x.example/V2"}, {"PAPERFS_USERNAME", "me"}, {"PAPERFS_PASSWORD", "a"}},
		"write https://x.example/base\n":                      {{"PAPERFS_URL", "https://x.example//base/"}, {"PAPERFS_USERNAME", "me"}, {"PAPERFS_PASSWORD", "a"}},
		"PAPERFS_RPM is":                                      {{"PAPERFS_RPM", "many"}},
		"PAPERFS_UID is -5: give a number of 0 to 4294967294": {{"PAPERFS_UID", "-5"}},
	} {
		e := newEnvironment(t)
		for _, v := range vars {
			e.set(v[0], v[1])
		}
		e.fail(cli.ExitUsage, says, "mount", "dir")
		require.NoDirExists(t, e.path("dir"))
	}
}

func TestDataOfAnotherServiceIsAUsageError(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.set("PAPERFS_URL", "https://x.example")
	e.set("PAPERFS_USERNAME", "me")
	e.set("PAPERFS_PASSWORD", "secret")
	e.fail(cli.ExitUsage, "give one of them", "mount", "--data", "data", "dir")
}

// TestVersion checks that the program prints its version, which the changes begin with.
func TestVersion(t *testing.T) {
	t.Parallel()
	_, newest, _ := strings.Cut(string(testrun.Must(os.ReadFile("../../CHANGELOG.md"))(t)), "\n## ")
	require.Regexp(t, `^`+regexp.QuoteMeta(release)+` \(20\d\d-\d\d-\d\d\)\n`, newest)
	require.Regexp(t, `^paperfs `+regexp.QuoteMeta(release)+` (\(commit [0-9a-f]{12} of 20\d\d-\d\d-\d\d(, changed since)?\) )?go1\.\S+\n$`, newEnvironment(t).succeed("version"))
}

func TestCommandsThatNeedAMount(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	for _, command := range []string{"umount", "status", "stat", "why", "refresh"} {
		e.fail(cli.ExitNotMounted, "no paperfs is mounted there", command, e.home)
	}
}

func TestEmptyMountPointIsAUsageError(t *testing.T) {
	t.Parallel()
	newEnvironment(t).fail(cli.ExitUsage, "the mount point is empty", "mount", "")
}

// TestWithoutHOME checks that commands work without HOME, as under cron or in a system unit, and do
// not take / for the home.
func TestWithoutHOME(t *testing.T) {
	t.Parallel()
	me := testrun.Must(user.Current())(t)
	e := newEnvironment(t)
	e.set("HOME", "")
	for _, dir := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"} {
		e.set(dir, "")
	}
	e.fail(cli.ExitUsage, me.HomeDir+"/.config/paperfs/config.toml", "mount", "no such profile", "dir")
}
