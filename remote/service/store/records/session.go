package records

import (
	"time"

	"paperfs/remote/service/store"
)

func scanSession(scan func(...any) error, s *store.Session, more ...any) error {
	var digest []byte
	var began, used, ends int64
	err := scan(append([]any{&digest, &s.Account, &s.Once, &s.Agent, &began, &used, &ends}, more...)...)
	copy(s.Digest[:], digest)
	s.Began, s.Used, s.Ends = time.Unix(began, 0).UTC(), time.Unix(used, 0).UTC(), time.Unix(ends, 0).UTC()
	return err
}

const sessionColumns = `SELECT digest, account, once, agent, began, used, ends`

// SessionOf implements store.SessionReader.
func (q Queries) SessionOf(digest [32]byte) (s store.Session, account string, err error) {
	err = scanSession(func(into ...any) error {
		return q.tx.Row(sessionColumns+`, account.name FROM session JOIN account ON account.id = session.account WHERE digest = $1`, []any{digest[:]}, into...)
	}, &s, &account)
	return s, account, err
}

// Sessions implements store.SessionReader.
func (q Queries) Sessions(account int64) ([]store.Session, error) {
	return All(q.tx, sessionColumns+` FROM session WHERE account = $1 ORDER BY used DESC, digest`, []any{account},
		func(scan func(...any) error, s *store.Session) error { return scanSession(scan, s) })
}

// mostSessions are kept of an account, and as many links. A new one ends that which was not used for the longest time.
const mostSessions = 100

// AddSession implements store.SessionWriter.
func (q Queries) AddSession(s store.Session) error {
	err := q.tx.Exec(`DELETE FROM session WHERE account = $1 AND (ends <= $2 OR digest IN
		(SELECT digest FROM session WHERE account = $1 AND once = $3 ORDER BY used DESC, digest LIMIT 1000000 OFFSET $4))`, s.Account, s.Began.Unix(), s.Once, mostSessions-1)
	if err != nil {
		return err
	}
	return q.tx.Change(`INSERT INTO session (digest, account, once, agent, began, used, ends) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		s.Digest[:], s.Account, s.Once, s.Agent, s.Began.Unix(), s.Used.Unix(), s.Ends.Unix())
}

// UseSession implements store.SessionWriter.
func (q Queries) UseSession(digest [32]byte, used, ends time.Time) error {
	return q.tx.Change(`UPDATE session SET used = $2, ends = $3 WHERE digest = $1`, digest[:], used.Unix(), ends.Unix())
}

// EndSession implements store.SessionWriter.
func (q Queries) EndSession(digest [32]byte) error {
	err := q.tx.Exec(`INSERT INTO event (tenant, kind, thing) SELECT account.tenant, 0, account.id FROM session JOIN account ON account.id = session.account WHERE digest = $1`, digest[:])
	if err != nil {
		return err
	}
	return q.tx.Change(`DELETE FROM session WHERE digest = $1`, digest[:])
}
