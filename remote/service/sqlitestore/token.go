package sqlitestore

import (
	"time"

	"paperfs/remote/service/store"
)

func (t *tx) Token(token string) (store.Token, error) {
	var k store.Token
	var expires int64
	err := t.row(`SELECT token, node, expires, ip FROM preview_token WHERE token = ?`, []any{token}, &k.Token, &k.Node, &expires, &k.IP)
	k.Expires = time.Unix(expires, 0).UTC()
	return k, err
}

func (t *tx) AddToken(k store.Token, now time.Time) error {
	if _, err := t.ExecContext(t.ctx, `DELETE FROM preview_token WHERE expires < ?`, now.Unix()); err != nil {
		return translate(err)
	}
	_, err := t.ExecContext(t.ctx, `INSERT INTO preview_token (token, node, expires, ip) VALUES (?, ?, ?, ?)`, k.Token, k.Node, k.Expires.Unix(), k.IP)
	return translate(err)
}
