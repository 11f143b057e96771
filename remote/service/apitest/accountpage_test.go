package apitest

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// accounts posts a form of the page with the accounts.
func (v *visitor) accounts(pairs ...string) reply {
	v.t.Helper()
	return v.post("/manage/accounts", append([]string{"token", v.token()}, pairs...)...)
}

// shown returns what a document shows once in a field.
func (r reply) shown(t testing.TB, name string) string {
	t.Helper()
	found := regexp.MustCompile(`<input name="` + name + `" readonly value="([^"]+)">`).FindStringSubmatch(r.body)
	require.NotNil(t, found, r.body)
	return html.UnescapeString(found[1])
}

// TestAnAdministratorInvites lets an administrator invite, sign out and remove colleagues by the page.
func TestAnAdministratorInvites(t *testing.T) {
	t.Parallel()
	var c *movingClock
	s := start(t, proxied, func(o *service.Options) { c = movedBy(o) })
	s.host = "a.papers.example"
	boss := s.visitor()
	boss.https = true
	boss.signIn()
	require.Contains(t, boss.get("/manage/").body, `<a href="accounts">`)
	made := boss.accounts("does", "add", "account", "<b>anna</b>", "role", "1")
	link, key := made.shown(t, "link"), made.shown(t, "key")
	require.Contains(t, made.header.Get("Cache-Control"), "no-store")
	require.Equal(t, remote.Success, s.as("<b>anna</b>", key).call(remote.CreatePaper, "parentID", "1", "name", "N", "urlName", "n").code)
	at, secret, found := strings.Cut(link, "/manage/#once=")
	require.True(t, found, link)
	require.Equal(t, "https://a.papers.example", at)
	list := boss.get("/manage/accounts").body
	require.Contains(t, list, "<td>&lt;b&gt;anna&lt;/b&gt;<td>publish (editor)<td> Invited until <time")
	require.NotContains(t, list, secret)
	require.NotContains(t, list, key)
	anna := s.visitor()
	anna.https = true
	require.Equal(t, http.StatusSeeOther, anna.post("/manage/link", "link", secret).status)
	require.Contains(t, boss.get("/manage/accounts").body, "<td>publish (editor)<td><time", "the last use is known, and the invitation is over")
	again := anna.post("/manage/link", "link", secret)
	require.Equal(t, http.StatusForbidden, again.status)
	require.Contains(t, again.body, "used already, or is too old")
	_, ended, _ := strings.Cut(boss.accounts("does", "invite", "account", "<b>anna</b>").shown(t, "link"), "#once=")
	require.True(t, anna.in(), "an invitation ends no session")
	require.Equal(t, http.StatusSeeOther, boss.accounts("does", "out", "account", "<b>anna</b>").status)
	require.False(t, anna.in())
	require.Equal(t, http.StatusForbidden, anna.post("/manage/link", "link", ended).status, "open invitations end, too")
	require.Equal(t, remote.Success, s.as("<b>anna</b>", key).call(remote.GetAllPapers, "paperID", "1").code, "but not the key")
	_, late, _ := strings.Cut(boss.accounts("does", "invite", "account", "<b>anna</b>").shown(t, "link"), "#once=")
	for range 3 {
		c.move(8*time.Hour + time.Second)
		require.True(t, boss.in())
	}
	require.Equal(t, http.StatusForbidden, anna.post("/manage/link", "link", late).status, "a day is over")
	require.Equal(t, http.StatusSeeOther, boss.accounts("does", "remove", "account", "<b>anna</b>").status)
	require.NotContains(t, boss.get("/manage/accounts").body, "anna")
	require.Equal(t, remote.LoginSecurityViolation, s.as("<b>anna</b>", key).call(remote.CreateSignInLink).code)
}

// TestAccountsAreForAdministrators checks what nobody may do with accounts, whatever is sent.
func TestAccountsAreForAdministrators(t *testing.T) {
	t.Parallel()
	s := start(t)
	require.NoError(t, s.admin().AddTenant(admin.TenantSettings{Name: "b", Hosts: []string{"b.example"}}))
	testrun.Must(s.admin().AddAccount("b", "theirs", remote.Admin))(t)
	names := func() (all []string) {
		for _, a := range testrun.Must(s.admin().Accounts("default"))(t) {
			all = append(all, a.Name)
		}
		return all
	}
	first := s.visitor().signIn()
	second := s.account("second", remote.Admin).visitor().signIn()
	for _, role := range []remote.Role{remote.Reader, remote.Editor} {
		v := s.account([]string{"ben", "carl"}[role], role).visitor().signIn()
		require.NotContains(t, v.get("/manage/").body+v.get("/manage/table").body, `href="accounts"`)
		before := names()
		for _, r := range []reply{v.get("/manage/accounts"), v.accounts("does", "add", "account", "x", "role", "2"), v.accounts("does", "invite", "account", s.user),
			v.accounts("does", "out", "account", s.user), v.accounts("does", "remove", "account", s.user)} {
			require.Equal(t, http.StatusForbidden, r.status)
			require.Contains(t, r.body, "Only an administrator manages accounts.")
			require.NotContains(t, r.body, "second")
		}
		require.Equal(t, before, names())
	}
	require.True(t, first.in())
	made := first.accounts("does", "add", "account", "dora", "role", "0")
	require.Equal(t, http.StatusOK, made.status, "no address is known but that of the page: %s", made.body)
	require.Regexp(t, `^http://[^/]+/manage/#once=`, made.shown(t, "link"))
	before := names()
	for words, pairs := range map[string][]string{
		"is your own account: another administrator removes it": {"does", "remove", "account", s.user},
		"already has an account ben":                            {"does", "add", "account", "ben", "role", "0"},
		"has no account theirs":                                 {"does", "remove", "account", "theirs"},
		"is not a valid name for the account":                   {"does", "add", "account", "a b", "role", "0"},
		"The form is incomplete":                                {"does", "add", "account", "x", "role", "3"},
	} {
		r := first.accounts(pairs...)
		require.Equal(t, http.StatusConflict, r.status, r.body)
		require.Contains(t, html.UnescapeString(r.body), words)
	}
	require.Equal(t, http.StatusForbidden, first.post("/manage/accounts", "token", second.token(), "does", "remove", "account", "ben").status, "a token of another session")
	require.NoError(t, s.admin().SetReadOnly(true))
	require.Equal(t, http.StatusServiceUnavailable, first.accounts("does", "remove", "account", "ben").status)
	require.NoError(t, s.admin().SetReadOnly(false))
	require.Equal(t, before, names())
	// Two administrators remove each other at once: one is left.
	done := make(chan int, 2)
	tokens := []string{first.token(), second.token()}
	go func() {
		done <- first.post("/manage/accounts", "token", tokens[0], "does", "remove", "account", "second").status
	}()
	go func() {
		done <- second.post("/manage/accounts", "token", tokens[1], "does", "remove", "account", s.user).status
	}()
	<-done
	<-done
	require.Len(t, names(), len(before)-1)
	require.NotEqual(t, first.in(), second.in())
	// Who is no administrator any more by the time of the change makes none.
	accounts := testrun.Must(s.admin().Accounts("default"))(t)
	gone := s.admin().As(store.Account{ID: accounts[0].ID + 1})
	require.ErrorContains(t, gone.RemoveAccount("default", accounts[0].Name), "may not do this any more")
	require.ErrorContains(t, gone.SignOut("default", accounts[0].Name), "may not do this any more")
}
