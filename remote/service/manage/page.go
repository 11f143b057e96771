package manage

import (
	"net/http"
	"strings"

	"paperfs/remote/rules"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/call"
	"paperfs/remote/service/reader"
)

// Path begins the addresses of the page. No node has it (rules.ReservedAddress).
const Path = "/manage/"

// Page is the publisher's page.
type Page struct {
	*call.Service
	// Call begins a call of an operation; nil: there is none of that name.
	Call func(l *call.RequestLog, group, name string) *call.Call
}

// Serve answers a request that is the page's.
func (p *Page) Serve(l *call.RequestLog, r *http.Request, path string) {
	v := &visit{Page: p, l: l, r: r, words: wordsFor(r.Header.Values("Accept-Language"))}
	lock(l.Header())
	at, exact := strings.CutPrefix(path, Path)
	if file, ok := assets().Files[at]; ok && exact {
		reader.ServeAsset(l, r, file)
		return
	}
	if !exact {
		v.elsewhere(path)
		return
	}
	if !secure(r) {
		if p.MayAsk(l, r) {
			v.refuse(http.StatusForbidden, v.words["insecure"])
		}
		return
	}
	if err := v.recognize(); err != nil {
		v.failed(err)
		return
	}
	switch r.Method {
	case http.MethodPost:
		v.post(at)
	case http.MethodGet, http.MethodHead:
		v.get(at)
	default:
		if v.mayGo() {
			l.Header().Set("Allow", "GET, HEAD, POST")
			answer.Error(l, http.StatusMethodNotAllowed, "Only GET, HEAD and POST.")
		}
	}
}

// elsewhere leads to the address of the page from other spellings of it, and on a host of its own from the top.
func (v *visit) elsewhere(path string) {
	if !v.MayAsk(v.l, v.r) {
		return
	}
	if _, other := rules.CutPrefix(path+"/", Path); !other && strings.Trim(path, "/") != "" {
		answer.NotFound(v.l)
		return
	}
	v.l.Header().Set("Location", string(v.Base)+Path)
	v.l.WriteHeader(http.StatusTemporaryRedirect)
}

func (v *visit) get(at string) {
	if !v.mayGo() {
		return
	}
	switch {
	case !v.signedIn() && at == "":
		v.showSignIn(http.StatusOK, "")
	case !v.signedIn():
		v.leadTo("")
	case at == "":
		v.showApp()
	case at == "cover", at == "qr":
		v.showPicture(at == "qr")
	case at == "table":
		v.showTable()
	case at == "sessions":
		v.showSessions()
	case at == "accounts":
		v.serveAccounts()
	default:
		answer.NotFound(v.l)
	}
}

// post answers what may change something: from a document of this origin alone.
func (v *visit) post(at string) {
	operation, calls := strings.CutPrefix(at, "call/")
	switch {
	case !v.sameOrigin():
		if v.mayGo() {
			v.refuse(http.StatusForbidden, v.words["foreign"])
		}
	case at == "in":
		v.signIn()
	case at == "link":
		v.redeem()
	case !v.signedIn():
		if v.MayAsk(v.l, v.r) {
			v.refuse(http.StatusUnauthorized, v.words["signedOut"])
		}
	case calls:
		v.call(operation)
	case at == "out":
		v.signOut()
	case at == "end":
		v.endSession()
	case at == "accounts":
		v.serveAccounts()
	default:
		answer.NotFound(v.l)
	}
}
