package sqlitestore

import (
	"paperfs/remote/rules"
	"paperfs/remote/service/store"
)

func (t *tx) Field(tenant int64, name string) (f store.Field, err error) {
	err = t.row(`SELECT id, name, type FROM custom_field WHERE tenant = ? AND folded_name = ?`, []any{tenant, rules.Fold(name)}, &f.ID, &f.Name, &f.Type)
	return f, err
}

func (t *tx) Fields(tenant int64) ([]store.Field, error) {
	var all []store.Field
	err := t.each(`SELECT id, name, type FROM custom_field WHERE tenant = ? ORDER BY folded_name`, []any{tenant}, func(scan func(...any) error) error {
		var f store.Field
		err := scan(&f.ID, &f.Name, &f.Type)
		all = append(all, f)
		return err
	})
	return all, err
}

func (t *tx) FieldValue(paper, field int64) (value string, found bool, err error) {
	err = t.row(`SELECT value FROM custom_value WHERE field = ? AND node = ?`, []any{field, paper}, &value)
	if err == store.ErrNotFound {
		return "", false, nil
	}
	return value, err == nil, err
}

func (t *tx) FieldValues(node, field int64, visit func(store.FieldValue) error) error {
	return t.each(below+` SELECT v.node, v.field, v.value FROM below JOIN custom_value v ON v.field = ? AND v.node = below.id`, []any{node, field},
		func(scan func(...any) error) error {
			var v store.FieldValue
			if err := scan(&v.Paper, &v.Field, &v.Value); err != nil {
				return err
			}
			return visit(v)
		})
}

func (t *tx) AddField(tenant int64, f store.Field) (int64, error) {
	t.checkTenant(tenant)
	return t.insert(`INSERT INTO custom_field (tenant, name, folded_name, type) VALUES (?, ?, ?, ?)`, tenant, f.Name, rules.Fold(f.Name), f.Type)
}

func (t *tx) DeleteField(id int64) error {
	return t.change(`DELETE FROM custom_field WHERE id = ?`, id)
}

func (t *tx) SetFieldValue(v store.FieldValue) error {
	return t.change(`INSERT INTO custom_value (field, node, value) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value`, v.Field, v.Paper, v.Value)
}

func (t *tx) ClearFieldValue(paper, field int64) error {
	_, err := t.ExecContext(t.ctx, `DELETE FROM custom_value WHERE field = ? AND node = ?`, field, paper)
	return translate(err)
}
