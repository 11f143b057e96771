package apitest

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/testrun"
)

func TestReadOnlyWindow(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.category(s.root(), "a")
	administrator := s.admin()
	require.NoError(t, administrator.SetReadOnly(true))
	for _, op := range offered() {
		if op.Changes {
			s.fails(remote.ReadOnly, op, blank(op)...) // checked before values are validated
		} else {
			require.NotEqual(t, remote.ReadOnly, s.call(op, blank(op)...).code, op.Name)
		}
	}
	s.as(s.user, "wrong").fails(remote.LoginSecurityViolation, remote.DeletePaper, "paperID", "x") // checked before anything else
	require.NoError(t, administrator.SetReadOnly(false))
	s.category(s.root(), "b")
}

func TestRoles(t *testing.T) {
	t.Parallel()
	s := start(t)
	administrator := s.admin()
	for _, role := range []remote.Role{remote.Reader, remote.Editor, remote.Admin} {
		key := testrun.Must(administrator.AddAccount("default", "who", role))(t)
		who := s.as("who", key)
		for _, op := range offered() {
			refused := who.call(op, blank(op)...).code == remote.LoginSecurityViolation
			require.Equal(t, role < op.Role, refused, "%s as %d", op.Name, role)
		}
		require.NoError(t, administrator.RemoveAccount("default", "who"))
		who.fails(remote.LoginSecurityViolation, remote.GetSettingDescriptions)
	}
}

func TestRateLimit(t *testing.T) {
	t.Parallel()
	s := start(t, func(o *service.Options) { o.RPM = 3 })
	key := testrun.Must(s.admin().AddAccount("default", "other", remote.Reader))(t)
	for range 3 {
		s.must(remote.GetSettingDescriptions)
		s.as(s.user, "wrong").fails(remote.LoginSecurityViolation, remote.GetSettingDescriptions) // counts toward no account
	}
	require.Contains(t, s.as("other", key).must(remote.GetSettingDescriptions).header.Get(remote.OffersHeader), "rate=3")
	r := s.call(remote.GetSettingDescriptions)
	require.Equal(t, http.StatusTooManyRequests, r.status)
	require.Regexp(t, `^([1-9]|[1-5][0-9]|60)$`, r.header.Get("Retry-After"))
	s.as("other", key).must(remote.GetSettingDescriptions)
}

func TestTenants(t *testing.T) {
	t.Parallel()
	s := start(t)
	administrator := s.admin()
	require.NoError(t, administrator.AddTenant(admin.TenantSettings{Name: "acme", Hosts: []string{"Acme.Example"}, RootURL: "/acme/", PublicURL: "https://view.example/x/"}))
	key := testrun.Must(administrator.AddAccount("acme", "APIKey", remote.Admin))(t)
	acme := s.as("APIKey", key).at("acme.example:8080")

	root := acme.must(remote.GetPaperIDFromUrl, "url", "/ACME/").attribute(t, "id")
	require.False(t, acme.must(remote.GetPaperIDFromUrl, "url", "/").has)
	paper := acme.paper(root, "spring")
	require.Equal(t, "/acme/spring/", acme.must(remote.GetPaperUrlFromID, "paperID", paper).attribute(t, "url"))
	require.NotContains(t, s.at("acme.example").fails(remote.LoginSecurityViolation, remote.GetSettingDescriptions).body, "host name")
	require.Contains(t, s.as("APIKey", key).fails(remote.LoginSecurityViolation, remote.GetSettingDescriptions).body,
		"no tenant has the host name 127.0.0.1, so the account was looked for in the tenant default", "a caller at another name than its tenant's")

	file := acme.must(remote.UploadFile, "parentID", "0", "name", "a b.txt", "base64File", "aGk=").element(t, "fileid")
	require.Equal(t, "https://view.example/x/media/"+file+"/a%20b.txt", acme.must(remote.GetTree).attribute(t, "url"))

	require.Error(t, administrator.AddTenant(admin.TenantSettings{Name: "acme"}))
	require.Error(t, administrator.AddTenant(admin.TenantSettings{Name: "else", Hosts: []string{"acme.example"}}))
	for _, bad := range []admin.TenantSettings{{Name: ""}, {Name: "a b"}, {Name: "x", RootURL: "acme"}, {Name: "x", RootURL: "/a c/"}, {Name: "x", PublicURL: "view.example"}, {Name: "x", Hosts: []string{"http://h/"}}} {
		require.Error(t, administrator.AddTenant(bad), "%+v", bad)
	}
	all := testrun.Must(administrator.Tenants())(t)
	require.Len(t, all, 2)
	require.Equal(t, []string{"acme.example"}, all[0].Hosts)
	all[0].RootURL, all[0].Hosts = "/a/b/", []string{"new.example"}
	require.NoError(t, setTenant(administrator, all[0]))
	require.Equal(t, "/a/b/spring/", acme.at("new.example").must(remote.GetPaperUrlFromID, "paperID", paper).attribute(t, "url"))
	acme.fails(remote.LoginSecurityViolation, remote.GetSettingDescriptions)
}
