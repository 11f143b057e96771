package apitest

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// tenantNamed creates a tenant with the host NAME.example, and returns the server with its account.
func (s *server) tenantNamed(name string) *server {
	s.t.Helper()
	require.NoError(s.t, s.admin().AddTenant(admin.TenantSettings{Name: name, Hosts: []string{name + ".example"}}))
	key := testrun.Must(s.admin().AddAccount(name, "me", remote.Admin))(s.t)
	return s.as("me", key).at(name + ".example")
}

// TestRemoveTenant checks that all records of the tenant are deleted, that its content goes to the
// trash, and that other tenants keep theirs.
func TestRemoveTenant(t *testing.T) {
	t.Parallel()
	s := imported(t) // pages, links, orders, jobs and fields of the tenant default
	large := strings.Repeat("large ", 40_000)
	s.upload("0", "file", "of default "+large)
	acme := s.tenantNamed("acme")
	dir := acme.must(remote.CreateDirectory, "parentID", "0", "name", "logos").element(t, "directoryid")
	acme.upload(dir, "large", large)
	acme.upload("0", "small", "small")
	category := acme.category(acme.root(), "catalogues")
	paper := acme.paper(category, "spring")
	acme.must(remote.AddCustomField, "name", "Colour", "dataType", "string")
	acme.must(remote.SetSetting, "paperID", paper, "setting", "iconPdf", "value", "true")
	acme.must(remote.CreatePreviewToken, "paperID", paper, "validityMinutes", "60", "ip", "")
	acme.process(paper, pdftest.Text("garden"), "")
	s.keeps(5)
	state := s.everything()

	administrator := s.admin()
	b := testrun.Must(administrator.Belongings("acme"))(t)
	require.Equal(t, store.Belongings{Accounts: 1, Categories: 1, Papers: 1, Dirs: 1, Files: 2, MediaBytes: int64(len(large) + len("small")), Jobs: 1, Fields: 1}, b)
	require.NoError(t, administrator.RemoveTenant("acme"))
	_, err := administrator.Belongings("acme")
	require.ErrorContains(t, err, "no tenant acme")
	acme.fails(remote.LoginSecurityViolation, remote.GetTree)
	require.Equal(t, state, s.everything())
	s.keeps(1)                      // a media file, a PDF and its images are in the trash; the small file is deleted
	if s.place().Database() == "" { // with PostgreSQL, dropped content stays for a while
		require.Len(t, testrun.Must(filepath.Glob(filepath.Join(s.data, "trash", "*", "*")))(t), 3)
	}
	report := testrun.Must(administrator.Check(t.Context(), admin.CheckOptions{Deep: true}))(t)
	require.True(t, report.Sound(), "%+v", report)

	again := s.tenantNamed("acme")
	require.False(t, again.must(remote.GetTree).has, "a new tenant of the same name has none of the old content")
	require.NotEqual(t, category, again.category(again.root(), "catalogues"), "no id is reused")
	require.ErrorContains(t, administrator.RemoveTenant("default"), "cannot be removed")
	require.ErrorContains(t, administrator.RemoveTenant("nobody"), "no tenant nobody")
	require.NoError(t, administrator.RemoveTenant("acme"))
	s.reopen()
	require.Equal(t, state, s.everything())
}

// everything returns all that the tenant default shows.
func (s *server) everything() (all []string) {
	s.t.Helper()
	for _, r := range []reply{s.must(remote.GetAllPapers, "paperID", s.root()), s.must(remote.GetLinks, "paperID", "3"), s.must(remote.GetPaperStructure, "paperID", "3", "includeIndexedText", "true"),
		s.must(remote.GetCustomFieldDefinitions), s.must(remote.GetLicenseOrdersByType, "checkoutType", "")} {
		all = append(all, r.data)
	}
	tree := s.must(remote.GetTree)
	return append(all, tree.attribute(s.t, "sha256"), s.get(tree.attribute(s.t, "url")).body)
}

// TestRemoveTenantWithAJobUnderWay checks that the job ends without a log entry, and that PDFs of
// other tenants are processed.
func TestRemoveTenantWithAJobUnderWay(t *testing.T) {
	t.Parallel()
	var log logBuffer
	s := start(t, func(o *service.Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	acme := s.tenantNamed("acme")
	acme.queue(acme.paper(acme.root(), "endless"), pdftest.Forever(), "")
	require.NoError(t, s.admin().RemoveTenant("acme"))
	s.process(s.paper(s.root(), "spring"), pdftest.Text("garden"), "")
	s.close()
	require.NotContains(t, log.String(), "PDF not processed")
}

// TestRemovedTenantsClientEnv checks that a client.env with an account of the tenant is removed
// with it.
func TestRemovedTenantsClientEnv(t *testing.T) {
	t.Parallel()
	s := start(t)
	acme := s.tenantNamed("acme")
	env := filepath.Join(s.data, "client.env")
	own := testrun.Must(os.ReadFile(env))(t)
	require.NoError(t, os.WriteFile(env, []byte("PAPERFS_URL=http://acme.example:80\nPAPERFS_USERNAME=me\nPAPERFS_PASSWORD="+acme.key+"\nPAPERFS_RPM=0\n"), 0o600))
	require.NoError(t, s.admin().RemoveTenant("acme"))
	require.NoFileExists(t, env)
	require.NoError(t, os.WriteFile(env, own, 0o600))
	s.must(remote.GetTree)
}

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
