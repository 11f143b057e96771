package session

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"time"

	"paperfs/remote/service/store"
)

// How long things last.
const (
	life = 30 * 24 * time.Hour // of a session, however much it is used
	idle = 12 * time.Hour      // of one that is not used
	// LinkLife is for a link that its owner opens at once, InvitationLife for one that is sent to a colleague.
	LinkLife       = 2 * time.Minute
	InvitationLife = 24 * time.Hour
	// noted is how old the noted time of the last use may become.
	noted = 5 * time.Minute
)

// LinkPath comes before a link's secret, in an address below that of the service. A browser does not send a fragment: a GET
// grants nothing.
const LinkPath = "/manage/#once="

// mostAgent is how much is kept of what a browser calls itself.
const mostAgent = 200

// Digest is what the records have of a secret.
func Digest(secret string) [32]byte { return sha256.Sum256([]byte(secret)) }

// Token is what the page of a session sends with each request that could change something. Another origin cannot read it.
func Token(secret string) string {
	sum := sha256.Sum256([]byte("paperfs page token " + secret))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// newSecret returns 256 random bits.
func newSecret() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// Begin begins a session of an account.
func Begin(tx store.Writer, account int64, agent string, now time.Time) (secret string, err error) {
	secret = newSecret()
	if len(agent) > mostAgent {
		agent = agent[:mostAgent]
	}
	return secret, tx.AddSession(store.Session{Digest: Digest(secret), Account: account, Agent: printable(agent), Began: now, Used: now, Ends: now.Add(idle)})
}

// printable replaces what is no printable ASCII, of which names of browsers consist.
func printable(text string) string {
	b := []byte(text)
	for i, c := range b {
		if c < ' ' || c > '~' {
			b[i] = '?'
		}
	}
	return string(b)
}

// Link makes a secret that begins a session once.
func Link(tx store.Writer, account int64, lasts time.Duration, now time.Time) (secret string, err error) {
	secret = newSecret()
	return secret, tx.AddSession(store.Session{Digest: Digest(secret), Account: account, Once: true, Began: now, Used: now, Ends: now.Add(lasts)})
}

// Redeem ends a link of a tenant's account, and begins the session that it is for. store.ErrNotFound: there is no such link any more.
func Redeem(tx store.Writer, host, link, agent string, now time.Time) (secret string, err error) {
	caller, s, err := Find(tx, host, Digest(link), true, now)
	if err == nil {
		err = tx.EndSession(s.Digest)
	}
	if err != nil {
		return "", err
	}
	return Begin(tx, caller.Account.ID, agent, now)
}

// Find looks up a session or, if once is set, a link that works once, and its account. It returns store.ErrNotFound for one that has
// ended, or whose account is not of the host's tenant.
func Find(tx store.Reader, host string, digest [32]byte, once bool, now time.Time) (caller store.Caller, s store.Session, err error) {
	s, name, err := tx.SessionOf(digest)
	if err == nil && (s.Once != once || !now.Before(s.Ends)) {
		err = store.ErrNotFound
	}
	if err == nil {
		caller, err = tx.Caller(host, name)
	}
	if err == nil && caller.Account.ID != s.Account { // it is of another tenant
		err = store.ErrNotFound
	}
	return caller, s, err
}

// Stale reports whether a use of a session has to be noted.
func Stale(s store.Session, now time.Time) bool { return now.Sub(s.Used) >= noted }

// Use notes that a session is used.
func Use(tx store.Writer, s store.Session, now time.Time) error {
	ends := s.Began.Add(life)
	if later := now.Add(idle); later.Before(ends) {
		ends = later
	}
	return tx.UseSession(s.Digest, now, ends)
}
