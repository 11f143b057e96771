package manage

import (
	"net/http"
	"strings"

	"paperfs/remote"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/call"
	"paperfs/remote/service/session"
)

// call calls an operation, GROUP/NAME, as the session's account. It has the answer as JSON for a script. The form of a change is
// led back to the page; that of a question gets a document.
func (v *visit) call(operation string) {
	group, name, _ := strings.Cut(operation, "/")
	c := v.Page.Call(v.l, group, name)
	if c == nil {
		answer.NotFound(v.l)
		return
	}
	if c.JSON = answer.PrefersJSON(v.r.Header.Values("Accept")); c.JSON {
		v.l.Header().Set("Content-Type", answer.JSONType)
	} else if c.Changes() {
		c.Plain = v.told
	}
	v.ServeSignedIn(v.l, c, call.SignedIn{Digest: v.session.Digest, Token: session.Token(v.secret)})
}

// told answers the form of a call.
func (v *visit) told(code remote.Code, message, back string) {
	v.l.Header().Set("Content-Type", "text/html; charset=utf-8")
	if code != remote.Success {
		v.refuse(http.StatusConflict, message)
		return
	}
	if !strings.HasPrefix(back, "table?") {
		back = ""
	}
	v.leadTo(back)
}
