package postgresstore

import (
	"context"
	"database/sql"

	"github.com/jackc/pgx/v5/pgtype"
	"github.com/pressly/goose/v3"

	"paperfs/remote/service/store"
)

// phrases is the migration after those of the files: store.Phrase has another rule, which SQL cannot follow. It is many
// short changes, so that nodes with the program before go on meanwhile.
var phrases = goose.NewGoMigration(13, &goose.GoFunc{RunDB: renewPhrases}, nil)

// renewPhrases normalizes the texts of all pages again.
func renewPhrases(ctx context.Context, db *sql.DB) error {
	types := pgtype.NewMap()
	for after := int64(0); ; {
		var ids []int64
		var texts []string
		err := db.QueryRowContext(ctx, `SELECT array_agg(id ORDER BY id), array_agg(text ORDER BY id)
			FROM (SELECT id, text FROM page WHERE id > $1 ORDER BY id LIMIT 500) part`, after).Scan(types.SQLScanner(&ids), types.SQLScanner(&texts))
		if err != nil || len(ids) == 0 {
			return err
		}
		for i, text := range texts {
			texts[i] = store.Phrase(text)
		}
		_, err = db.ExecContext(ctx, `UPDATE page_phrase SET phrase = renewed.phrase FROM unnest($1::bigint[], $2::text[]) AS renewed (page, phrase)
			WHERE page_phrase.page = renewed.page AND page_phrase.phrase <> renewed.phrase`, ids, texts)
		if err != nil {
			return err
		}
		after = ids[len(ids)-1]
	}
}
