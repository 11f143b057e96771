package sqlitestore

import (
	"time"

	"paperfs/remote/service/store"
)

// These steps take many records at once. SQLite runs within the process, so each is a loop over
// the statement for one record.

func (t *tx) Descend(tenant, from int64, urlNames []string) (store.Node, error) {
	at, err := t.Node(tenant, from)
	for _, name := range urlNames {
		if err != nil {
			break
		}
		at, err = t.Child(at.ID, name)
	}
	return at, err
}

func (t *tx) Lineage(tenant int64, ids []int64, visit func(store.Node) error) error {
	seen := map[int64]bool{0: true}
	for _, id := range ids {
		for !seen[id] {
			seen[id] = true
			n, err := t.Node(tenant, id)
			if err != nil {
				return err
			}
			if err := t.visit(func() error { return visit(n) }); err != nil {
				return err
			}
			id = n.Parent
		}
	}
	return nil
}

func (t *tx) FieldValuesOf(papers, fields []int64, visit func(store.FieldValue) error) error {
	for _, paper := range papers {
		for _, field := range fields {
			text, found, err := t.FieldValue(paper, field)
			if err != nil {
				return err
			}
			if !found {
				continue
			}
			v := store.FieldValue{Paper: paper, Field: field, Value: text}
			if err := t.visit(func() error { return visit(v) }); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *tx) Processings(papers []int64, visit func(int64, store.Processing) error) error {
	for _, paper := range papers {
		p, err := t.Processing(paper)
		if store.IsNotFound(err) {
			continue
		}
		if err == nil {
			err = t.visit(func() error { return visit(paper, p) })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) Orders(papers []int64, checkoutType string, since time.Time, visit func(store.Order) error) error {
	for _, paper := range papers {
		if err := t.orders(paper, checkoutType, since, visit); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) Files(tenant int64, dirs []int64, visit func(store.File) error) error {
	for _, dir := range dirs {
		if err := t.files(tenant, dir, visit); err != nil {
			return err
		}
	}
	return nil
}
