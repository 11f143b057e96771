package postgresstore

import (
	"paperfs/remote/rules"
	"paperfs/remote/service/store"
)

func (t *tx) Field(tenant int64, name string) (f store.Field, err error) {
	err = t.row(`SELECT id, name, type FROM custom_field WHERE tenant = $1 AND folded_name = $2`, []any{tenant, rules.Fold(name)}, &f.ID, &f.Name, &f.Type)
	return f, err
}

func (t *tx) Fields(tenant int64) ([]store.Field, error) {
	return all(t, `SELECT id, name, type FROM custom_field WHERE tenant = $1 ORDER BY folded_name`, []any{tenant},
		func(scan func(...any) error, f *store.Field) error { return scan(&f.ID, &f.Name, &f.Type) })
}

func (t *tx) FieldValue(paper, field int64) (value string, found bool, err error) {
	err = t.row(`SELECT value FROM custom_value WHERE field = $1 AND node = $2`, []any{field, paper}, &value)
	if err == store.ErrNotFound {
		return "", false, nil
	}
	return value, err == nil, err
}

func (t *tx) FieldValuesOf(papers, fields []int64, visit func(store.FieldValue) error) error {
	return t.fieldValues(`SELECT node, field, value FROM unnest($1::bigint[]) WITH ORDINALITY wanted (paper, place)
		JOIN custom_value ON node = paper WHERE field = ANY($2) ORDER BY place`, []any{nonNil(papers), nonNil(fields)}, visit)
}

func (t *tx) FieldValues(node, field int64, visit func(store.FieldValue) error) error {
	return t.fieldValues(below+` SELECT v.node, v.field, v.value FROM below JOIN custom_value v ON v.field = $2 AND v.node = below.id`, []any{node, field}, visit)
}

func (t *tx) fieldValues(query string, args []any, visit func(store.FieldValue) error) error {
	return t.each(query, args, func(scan func(...any) error) error {
		var v store.FieldValue
		if err := scan(&v.Paper, &v.Field, &v.Value); err != nil {
			return err
		}
		return visit(v)
	})
}

func (t *tx) AddField(tenant int64, f store.Field) (int64, error) {
	if err := t.checkTenant(tenant); err != nil {
		return 0, err
	}
	return t.insert(`INSERT INTO custom_field (tenant, name, folded_name, type) VALUES ($1, $2, $3, $4) RETURNING id`, tenant, f.Name, rules.Fold(f.Name), f.Type)
}

func (t *tx) DeleteField(id int64) error {
	return t.change(`DELETE FROM custom_field WHERE id = $1`, id)
}

func (t *tx) SetFieldValue(v store.FieldValue) error {
	return t.change(`INSERT INTO custom_value (field, node, value) VALUES ($1, $2, $3) ON CONFLICT (field, node) DO UPDATE SET value = excluded.value`, v.Field, v.Paper, v.Value)
}

func (t *tx) ClearFieldValue(paper, field int64) error {
	return t.exec(`DELETE FROM custom_value WHERE field = $1 AND node = $2`, field, paper)
}
