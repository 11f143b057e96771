package manage

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"paperfs/remote"
	"paperfs/remote/service/address"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/reader/view"
	"paperfs/remote/service/session"
)

// accounts is the page on which an administrator sees and changes the accounts of the tenant, by what `paperfs admin account` does.
type accounts struct {
	*visit
	*admin.Admin
}

// serveAccounts answers an administrator, and nobody else.
func (v *visit) serveAccounts() {
	a := accounts{v, admin.Apart(v.Store, v.Contents, v.Options.Data).As(v.caller.Account)}
	var err error
	switch {
	case v.caller.Account.Role < remote.Admin:
		v.refuse(http.StatusForbidden, v.words["adminsOnly"])
	case v.r.Method != http.MethodPost:
		err = a.list()
	case v.ours():
		err = a.change(v.caller.Tenant.Name, strings.TrimSpace(v.r.PostForm.Get("account")))
	}
	if why, ok := errors.AsType[admin.Refused](err); ok {
		v.refuse(http.StatusConflict, strings.Replace(v.words["notDone"], "{}", why.Error(), 1))
	} else if err != nil {
		v.failed(err)
	}
}

func (a accounts) list() error {
	all, err := a.Accounts(a.caller.Tenant.Name)
	if err != nil {
		return err
	}
	var rows view.HTML
	for _, one := range all {
		var seen, invited view.HTML
		for _, s := range one.Sessions {
			if s.Once && a.Now().Before(s.Ends) {
				invited = view.Form(`{} {}`, a.words["invitedUntil"], moment(s.Ends))
			} else if !s.Once && seen == "" {
				seen = moment(s.Used)
			}
		}
		does := view.Form(`{}`, a.words["yourself"])
		if one.ID != a.caller.Account.ID {
			does = a.form("accountdoes", a.hidden("account", one.Name))
		}
		rows += a.form("account", one.Name, a.words["role"+strconv.Itoa(int(one.Role))], seen, invited, does)
	}
	a.show(http.StatusOK, a.words["accounts"], "", a.form("accounts", a.bar(), rows, a.hidden("does", "add")))
	return nil
}

// change does what a form asks for.
func (a accounts) change(tenant, name string) (err error) {
	form := a.r.PostForm
	role, noRole := strconv.Atoi(form.Get("role"))
	switch does := form.Get("does"); {
	case a.caller.ReadOnly:
		a.refuse(http.StatusServiceUnavailable, a.words["away"])
		return nil
	case does == "add" && noRole == nil && role >= int(remote.Reader) && role <= int(remote.Admin):
		key, err := a.AddAccount(tenant, name, remote.Role(role))
		if err != nil {
			return err
		}
		return a.invite(tenant, name, a.form("newkey", key))
	case does == "invite":
		return a.invite(tenant, name, "")
	case does == "remove":
		err = a.RemoveAccount(tenant, name)
	case does == "out":
		err = a.SignOut(tenant, name)
	default:
		err = admin.Refused(a.words["badForm"])
	}
	if err == nil {
		a.leadTo("accounts")
	}
	return err
}

// invite shows a link, and the key of a new account, which nobody sees again.
func (a accounts) invite(tenant, name string, key view.HTML) error {
	at := "" // the address that the tenant says, if it says one, where this one is known to this machine alone
	if t := a.caller.Tenant; !address.IsLoopback(a.r.Host) || t.PublicURL == "" && len(t.Hosts) == 0 {
		at = origin(a.r) + string(a.Base)
	}
	link, err := a.Invite(tenant, name, at, a.Now())
	if err == nil {
		a.show(http.StatusOK, a.words["accounts"], view.Form(`<script type="module" src="{}"></script>`, a.asset("copy.js")),
			a.form("invited", a.bar(), name, link, moment(a.Now().Add(session.InvitationLife)), key))
	}
	return err
}
