package postgresstore

import "paperfs/remote/service/store"

func (t *tx) FieldValuesOf(papers, fields []int64, visit func(store.FieldValue) error) error {
	return t.EachFieldValue(`SELECT node, field, value FROM unnest($1::bigint[]) WITH ORDINALITY wanted (paper, place)
		JOIN custom_value ON node = paper WHERE field = ANY($2) ORDER BY place`, []any{nonNil(papers), nonNil(fields)}, visit)
}
