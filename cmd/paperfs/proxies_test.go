package main

import (
	"net/http"
	"net/netip"
	"testing"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
)

func TestPrefixes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"127.0.0.1":            "127.0.0.1/32",
		"10.1.2.3/8":           "10.0.0.0/8",
		"2001:db8::7/64":       "2001:db8::/64",
		"::1":                  "::1/128",
		"::ffff:127.0.0.1":     "127.0.0.1/32",
		"::ffff:7f00:1":        "127.0.0.1/32",
		"::ffff:10.1.2.3/104":  "10.0.0.0/8",
		"::ffff:10.1.2.3/96":   "0.0.0.0/0",
		"::ffff:127.0.0.1/128": "127.0.0.1/32",
	} {
		all, err := prefixes([]string{text})
		require.NoError(t, err, text)
		require.Equal(t, []netip.Prefix{netip.MustParsePrefix(want)}, all, text)
	}
	for _, text := range []string{"", "proxy.example", "10.0.0.0/33", "fe80::1%eth0", "fe80::1%eth0/64", "::ffff:10.0.0.1%eth0", "::ffff:10.0.0.0/95", "::ffff:0.0.0.0/8"} {
		_, err := prefixes([]string{"10.0.0.0/8", text})
		var usage *cli.UsageError
		require.ErrorAs(t, err, &usage, text)
		require.ErrorContains(t, err, "--trusted-proxies", text)
	}
}

// TestProxiesWrittenInIPv6 checks that the service trusts the headers of such a proxy.
func TestProxiesWrittenInIPv6(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	p, env := e.serving("--trusted-proxies", "::ffff:127.0.0.1")
	req := testrun.Must(http.NewRequest(http.MethodGet, env["PAPERFS_URL"]+"/nothing/", nil))(t)
	req.Header.Set("X-Forwarded-For", "203.0.113.7")
	require.NoError(t, testrun.Must(http.DefaultClient.Do(req))(t).Body.Close())
	p.says("from=203.0.113.7:0")
	e.fail(cli.ExitUsage, "without a zone", "serve", "--data", e.path("other"), "--listen", "127.0.0.1:0", "--trusted-proxies", "fe80::1%eth0")
}
