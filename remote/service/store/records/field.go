package records

import (
	"paperfs/remote/rules"
	"paperfs/remote/service/store"
)

// Field implements store.FieldReader.
func (q Queries) Field(tenant int64, name string) (f store.Field, err error) {
	err = q.tx.Row(`SELECT id, name, type FROM custom_field WHERE tenant = $1 AND folded_name = $2`, []any{tenant, rules.Fold(name)}, &f.ID, &f.Name, &f.Type)
	return f, err
}

// Fields implements store.FieldReader.
func (q Queries) Fields(tenant int64) ([]store.Field, error) {
	return All(q.tx, `SELECT id, name, type FROM custom_field WHERE tenant = $1 ORDER BY folded_name`, []any{tenant},
		func(scan func(...any) error, f *store.Field) error { return scan(&f.ID, &f.Name, &f.Type) })
}

// FieldValue implements store.FieldReader.
func (q Queries) FieldValue(paper, field int64) (value string, found bool, err error) {
	err = q.tx.Row(`SELECT value FROM custom_value WHERE field = $1 AND node = $2`, []any{field, paper}, &value)
	return ifFound(value, err)
}

// FieldValues implements store.FieldReader.
func (q Queries) FieldValues(node, field int64, visit func(store.FieldValue) error) error {
	return q.EachFieldValue(Below+` SELECT v.node, v.field, v.value FROM below JOIN custom_value v ON v.field = $2 AND v.node = below.id`, []any{node, field}, visit)
}

// EachFieldValue visits what a query for paper, field and value finds.
func (q Queries) EachFieldValue(query string, args []any, visit func(store.FieldValue) error) error {
	return q.tx.Each(query, args, func(scan func(...any) error) error {
		var v store.FieldValue
		if err := scan(&v.Paper, &v.Field, &v.Value); err != nil {
			return err
		}
		return visit(v)
	})
}

// AddField implements store.FieldWriter.
func (q Queries) AddField(tenant int64, f store.Field) (int64, error) {
	if err := q.tx.CheckTenant(tenant); err != nil {
		return 0, err
	}
	return q.tx.Insert(`INSERT INTO custom_field (tenant, name, folded_name, type) VALUES ($1, $2, $3, $4)`, tenant, f.Name, rules.Fold(f.Name), f.Type)
}

// DeleteField implements store.FieldWriter.
func (q Queries) DeleteField(id int64) error {
	return q.tx.Change(`DELETE FROM custom_field WHERE id = $1`, id)
}

// SetFieldValue implements store.FieldWriter.
func (q Queries) SetFieldValue(v store.FieldValue) error {
	return q.tx.Change(`INSERT INTO custom_value (field, node, value) VALUES ($1, $2, $3) ON CONFLICT (field, node) DO UPDATE SET value = excluded.value`, v.Field, v.Paper, v.Value)
}

// ClearFieldValue implements store.FieldWriter.
func (q Queries) ClearFieldValue(paper, field int64) error {
	return q.tx.Exec(`DELETE FROM custom_value WHERE field = $1 AND node = $2`, field, paper)
}
