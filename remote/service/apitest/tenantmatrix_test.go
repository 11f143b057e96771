package apitest

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/admin"
	"paperfs/remote/testrun"
)

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
