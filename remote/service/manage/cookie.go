package manage

import (
	"net/http"
	"time"
)

// cookieName is the name of the cookie. It has the name of the data, because all ports of localhost share their cookies. A
// browser takes a name that begins with __Host- from this host alone, and only over HTTPS.
func (v *visit) cookieName() string {
	name := "paperfs-" + v.Images.Name()
	if https(v.r) {
		return "__Host-" + name
	}
	return name
}

// cookie returns the secret of the session, or "".
func (v *visit) cookie() string {
	c, err := v.r.Cookie(v.cookieName())
	if err != nil {
		return ""
	}
	return c.Value
}

// setCookie gives the browser a secret; "" takes it away.
func (v *visit) setCookie(secret string) {
	c := &http.Cookie{Name: v.cookieName(), Value: secret, Path: string(v.Base) + Path, HttpOnly: true, SameSite: http.SameSiteStrictMode, MaxAge: int((30 * 24 * time.Hour).Seconds())}
	if https(v.r) {
		c.Path, c.Secure = "/", true // as the name asks for
	}
	if secret == "" {
		c.MaxAge = -1
	}
	http.SetCookie(v.l, c)
}
