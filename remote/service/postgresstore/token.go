package postgresstore

import (
	"time"

	"paperfs/remote/service/store"
)

func (t *tx) Token(token string) (store.Token, error) {
	var k store.Token
	var expires int64
	err := t.row(`SELECT token, node, expires, ip FROM preview_token WHERE token = $1`, []any{token}, &k.Token, &k.Node, &expires, &k.IP)
	k.Expires = time.Unix(expires, 0).UTC()
	return k, err
}

// AddToken skips expired tokens that a change of another tenant has locked and may be deleting as
// well.
func (t *tx) AddToken(k store.Token, now time.Time) error {
	err := t.exec(`DELETE FROM preview_token WHERE token IN (SELECT token FROM preview_token WHERE expires < $1 FOR UPDATE SKIP LOCKED)`, now.Unix())
	if err != nil {
		return err
	}
	return t.exec(`INSERT INTO preview_token (token, node, expires, ip) VALUES ($1, $2, $3, $4)`, k.Token, k.Node, k.Expires.Unix(), k.IP)
}
