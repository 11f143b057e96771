package apitest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/admin"
	"paperfs/remote/testrun"
)

// TestHostNames checks that add and set refuse a name that no request can have, explain why, and
// store nothing.
func TestHostNames(t *testing.T) {
	t.Parallel()
	s := start(t)
	administrator := s.admin()
	for _, good := range []string{"papers.example.org", "Papers.Example.ORG.", "localhost", "papers.example.org:8080", "a_b.example", "xn--bcher-kva.example", "1and1.example",
		"192.0.2.7", "192.0.2.7:80", "2001:db8::1", "[2001:db8::1]", "[2001:db8::1]:443", strings.Repeat("a", 63) + ".example"} {
		require.NoError(t, administrator.AddTenant(admin.TenantSettings{Name: "acme", Hosts: []string{good}}), good)
		require.NoError(t, administrator.RemoveTenant("acme"))
	}
	require.NoError(t, administrator.AddTenant(admin.TenantSettings{Name: "acme", Hosts: []string{"acme.example"}}))
	before := testrun.Must(administrator.Tenants())(t)
	for _, bad := range []string{"*", "*.example.org", "", ".", "a..example", ".example", "papers.example.org..", "-a.example", "a-.example", "a b.example", "bücher.example",
		"http://papers.example.org", "papers.example.org/x", "papers.example.org:80/x", "papers.example.org:", "papers.example.org:http", "papers.example.org:65536", "me@papers.example.org",
		"papers?", "a,b", "a;b", "999.1.1.1", "192.0.2", "7", "fe80::1%eth0", "2001:db8::g", strings.Repeat("a", 64) + ".example", strings.Repeat("a.", 126) + "aa"} {
		for name, err := range map[string]error{
			"add": administrator.AddTenant(admin.TenantSettings{Name: "other", Hosts: []string{"other.example", bad}}),
			"set": administrator.ChangeTenant("acme", func(t *admin.TenantSettings) error { t.Hosts = []string{bad}; return nil }),
		} {
			require.ErrorContains(t, err, "it has to be one name like papers.example.org", "%s %q", name, bad)
		}
	}
	require.Equal(t, before, testrun.Must(administrator.Tenants())(t))
}
