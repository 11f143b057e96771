package main

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/mountpoint"
	"paperfs/remote/service/kit/pdftest"

	"github.com/stretchr/testify/require"
)

// TestWhyAfterAKill checks that the reason for content in .paperfs/failed survives a killed mount.
func TestWhyAfterAKill(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	p := e.mount("--data", e.path("data"))
	e.must("ls media")
	e.admin("readonly", "on")
	_, err := e.sh("echo logo > ../logo.svg && cp ../logo.svg media/")
	require.Error(t, err)
	e.must("until ls .paperfs/failed/logo.svg; do :; done")
	require.Regexp(t, `READONLY: .*[^.]; its content is in .paperfs/failed/logo.svg`, e.succeed("why", e.path("ipaper/media/logo.svg")))
	p.signal(syscall.SIGKILL)
	p.wait()
	require.NoError(t, mountpoint.Detach(e.path("ipaper")))

	e.mount("--data", e.path("data"))
	for _, path := range []string{"ipaper/media/logo.svg", "ipaper/.paperfs/failed/logo.svg"} {
		require.Regexp(t, `/media/logo.svg was not published, its content is in .paperfs/failed/logo.svg: .*READONLY`, e.succeed("why", e.path(path)))
	}
	e.must("rm .paperfs/failed/logo.svg")
	e.fail(cli.ExitFailure, "no failure", "why", e.path("ipaper/media/logo.svg"))
}

// TestWhyOfARefreshWithoutAService checks that refresh names the command that says why it failed.
func TestWhyOfARefreshWithoutAService(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	service, env := e.serving()
	e.set("PAPERFS_URL", env["PAPERFS_URL"])
	e.set("PAPERFS_USERNAME", env["PAPERFS_USERNAME"])
	e.set("PAPERFS_PASSWORD", env["PAPERFS_PASSWORD"])
	e.mount()
	service.signal(syscall.SIGTERM)
	service.wait()
	papers := e.path("ipaper", "papers")
	e.fail(cli.ExitFailure, "host is down (`paperfs why "+papers+"` says more)", "refresh", papers)
	require.Contains(t, e.succeed("why", papers), "refresh /papers failed with EHOSTDOWN: ")
}

// TestWhyAProgramCannotReplaceAValue checks that why explains a failed sed -i. The mount refuses the
// new file that sed creates, and sed reports only that file's name.
func TestWhyAProgramCannotReplaceAValue(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount("--data", e.path("data"))
	value := e.must("mkdir papers/X.paper; cd papers/X.paper/settings; ls | head -n 1")
	value = e.path("ipaper", "papers", "X.paper", "settings", strings.TrimSpace(value))
	why := func() string { return e.succeed("why", value) }
	require.Contains(t, why(), "no failure of")
	refused := func(program string) {
		_, err := e.sh("cd papers/X.paper/settings; " + program + " " + value)
		require.Error(t, err)
		require.Regexp(t, `a program could not create the file .* create /papers/X.paper/settings/\S+ failed with EPERM: .*in place: echo VALUE > NAME`, why())
	}
	refused("sed -i s/a/b/")
	_, err := e.sh("printf '%70000s' > " + value)
	require.Error(t, err)
	require.Contains(t, why(), "at most 65536 bytes")
	refused("sed -i s/a/b/")
	require.Contains(t, e.succeed("why", e.path("ipaper", "papers", "X.paper", "url")), "no failure of")
}

// TestWhyAFileStaysHere checks that why explains a file that is not on the service although nothing
// failed.
func TestWhyAFileStaysHere(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount("--data", e.path("data"))
	e.must("echo x > media/a.part; echo x > media/a.txt")
	require.Contains(t, e.succeed("why", e.path("ipaper", "media", "a.part")), "it stays on this machine: `paperfs help names`")
	require.NotContains(t, e.succeed("why", e.path("ipaper", "media", "a.txt")), "this machine")
}

// TestWhyTellsTheTitleOfAPDF checks a paper that has the name of a file, and one that somebody has named.
func TestWhyTellsTheTitleOfAPDF(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.compiled("data")
	e.mount("--data", e.path("data"))
	require.NoError(t, os.WriteFile(e.path("k26_final.pdf"), pdftest.Asking("", "Spring & Summer", "one"), 0o600))
	e.must("cp ../k26_final.pdf papers/; cp ../k26_final.pdf 'papers/The sale.pdf'")
	for name, says := range map[string]bool{"k26_final.paper": true, "The sale.paper": false} {
		paper := e.path("ipaper", "papers", name)
		e.succeed("wait", paper)
		require.Equal(t, says, strings.Contains(e.succeed("why", paper), "the title in the PDF is “Spring & Summer”"), name)
	}
}

// TestTheAddressOfAFileAfterItsUpload checks that `paperfs url` requests the address, which an
// upload does not return.
func TestTheAddressOfAFileAfterItsUpload(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount("--data", e.path("data"))
	e.must("echo x > media/a.txt")
	file := e.path("ipaper", "media", "a.txt")
	require.Contains(t, e.succeed("url", file), "/a.txt")
}
