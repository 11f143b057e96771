package apitest

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/store"
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

// foreign replaces the ids among an operation's parameters with those of another tenant, and
// reports whether there are any.
func foreign(op *remote.Operation, pairs []string, dir, file string) (changed []string, any bool) {
	ids := map[string]string{"paperID": "3", "paperId": "3", "sourcePaperID": "3", "categoryID": "1", "categoryOrPaperID": "3",
		"destinationParentID": "1", "parentID": "1", "fileID": file, "directoryID": dir, "jobGuid": "8e0c2a44-6c5e-4c6a-9f0b-0f6b9b0e7a11"}
	if op.Group == "Media" {
		ids["parentID"] = dir
	}
	changed = append(changed, pairs...)
	for i := 0; i < len(changed); i += 2 {
		if id, found := ids[changed[i]]; found {
			changed[i+1], any = id, true
		}
	}
	return changed, any
}

// TestNoOperationReachesAnotherTenant checks that no operation succeeds with the ids of another
// tenant, that operations without ids show nothing of that tenant, and that its data does not
// change.
func TestNoOperationReachesAnotherTenant(t *testing.T) {
	t.Parallel()
	s := imported(t)
	dir := s.must(remote.CreateDirectory, "parentID", "0", "name", "secret-dir").element(t, "directoryid")
	file := s.upload(dir, "secret-file", "secret")
	require.NoError(t, s.admin().AddTenant(admin.TenantSettings{Name: "other", Hosts: []string{"other.example"}, RootURL: "/other/"}))
	key := testrun.Must(s.admin().AddAccount("other", "APIKey", remote.Admin))(t)
	other := s.as("APIKey", key).at("other.example")

	state := func() (all []string) {
		for _, r := range []reply{s.must(remote.GetAllPapers, "paperID", "1"), s.must(remote.GetTree), s.must(remote.GetLinks, "paperID", "3"),
			s.must(remote.GetCustomFieldDefinitions), s.must(remote.GetSetting, "paperID", "3", "setting", "iconPdf"), s.must(remote.GetLicenseOrdersByType, "checkoutType", "")} {
			all = append(all, r.data)
		}
		return all
	}
	before := state()
	words := []string{"Garden", "secret", "spring-2031", "Season"}
	for _, word := range words {
		require.Contains(t, strings.Join(before, " "), word)
	}
	for _, c := range successes {
		pairs, any := foreign(c.op, c.pairs, dir, file)
		r := other.call(c.op, pairs...)
		if any {
			require.NotEqual(t, remote.Success, r.code, "%s %v: %s", c.op.Name, pairs, r.body)
		}
		for _, word := range words {
			require.False(t, strings.Contains(r.body, word), "the answer of %s contains %s: %s", c.op.Name, word, r.body)
		}
	}
	require.Equal(t, before, state())
	address := s.must(remote.GetTree).attribute(t, "url")
	require.Equal(t, "secret", s.get(address).body)
	require.Equal(t, http.StatusNotFound, other.get(address).status)
}

// TestAWindowThatBeginsDuringACall checks that a call which came before a maintenance window changes
// nothing in it: an operator who has opened one may rely on what the records hold.
func TestAWindowThatBeginsDuringACall(t *testing.T) {
	t.Parallel()
	s := start(t)
	administrator := s.admin()
	counting := &countingStore{}
	s.wrapStore(func(real store.Store) store.Store {
		counting.Store = real
		return counting
	})
	for _, size := range []int{5, 1 << 20} {
		before := s.contents()
		counting.happens = func() { assert.NoError(t, administrator.SetReadOnly(true)) }
		counting.left.Store(1)
		r := s.call(remote.UploadFile, "parentID", "0", "name", fmt.Sprint("file", size), "base64File", base64.StdEncoding.EncodeToString(make([]byte, size)))
		require.LessOrEqual(t, counting.left.Swap(0), int64(0), "no window began during the call")
		require.Equal(t, remote.ReadOnly, r.code, r.body)
		require.Equal(t, before, s.contents())
		require.NotContains(t, s.must(remote.GetTree).data, "<file")
		require.NoError(t, administrator.SetReadOnly(false))
		s.upload("0", fmt.Sprint("later", size), "after the window")
		s.must(remote.DeleteFile, "fileID", s.must(remote.GetTree).attribute(t, "fileid"))
	}
}
