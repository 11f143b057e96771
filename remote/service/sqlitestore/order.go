package sqlitestore

import (
	"database/sql"
	"fmt"
	"time"

	"paperfs/remote/service/store"
)

func (t *tx) orders(paper int64, checkoutType string, since time.Time, visit func(store.Order) error) error {
	return t.eachOrder(`p.node = ? AND p.date >= ? AND (? = '' OR p.checkout_type = ?)`, []any{paper, since.Unix(), checkoutType, checkoutType}, visit)
}

// eachOrder visits the orders that match a condition, oldest first.
func (t *tx) eachOrder(condition string, args []any, visit func(store.Order) error) error {
	// One row per order line, so that no second query runs inside the first.
	var order store.Order
	var last int64
	flush := func() error {
		if last == 0 {
			return nil
		}
		return t.visit(func() error { return visit(order) })
	}
	err := t.each(`
		SELECT p.id, p.order_id, p.node, p.date, p.checkout_type, l.product_id, l.name, l.description, l.price, l.amount
		FROM purchase p LEFT JOIN purchase_line l ON l.purchase = p.id
		WHERE `+condition+`
		ORDER BY p.date, p.id, l.ordinal`, args,
		func(scan func(...any) error) error {
			var row store.Order
			var id, date int64
			var product, name, description, price sql.NullString
			var amount sql.NullInt64
			if err := scan(&id, &row.ID, &row.Paper, &date, &row.CheckoutType, &product, &name, &description, &price, &amount); err != nil {
				return err
			}
			if id != last {
				if err := flush(); err != nil {
					return err
				}
				row.Date = time.Unix(date, 0).UTC()
				order, last = row, id
			}
			if product.Valid {
				order.Lines = append(order.Lines, store.OrderLine{ProductID: product.String, Name: name.String,
					Description: description.String, Price: price.String, Amount: amount.Int64})
			}
			return nil
		})
	if err != nil {
		return err
	}
	return flush()
}

func (t *tx) PapersWithOrders(tenant int64, checkoutType string, since time.Time) ([]int64, error) {
	var papers []int64
	err := t.each(`
		SELECT DISTINCT p.node FROM purchase p JOIN node ON node.id = p.node
		WHERE p.tenant = ? AND p.date >= ? AND (? = '' OR p.checkout_type = ?) ORDER BY p.node`,
		[]any{tenant, since.Unix(), checkoutType, checkoutType}, func(scan func(...any) error) error {
			var id int64
			err := scan(&id)
			papers = append(papers, id)
			return err
		})
	return papers, err
}

func (t *tx) PutOrder(tenant int64, o store.Order) error {
	t.checkTenant(tenant)
	var id, paper int64
	var key sql.NullString
	var exists bool
	err := t.row(`SELECT id, node, key, EXISTS (SELECT 1 FROM node WHERE id = purchase.node) FROM purchase WHERE tenant = ? AND order_id = ?`,
		[]any{tenant, o.ID}, &id, &paper, &key, &exists)
	switch {
	case err == nil && paper != o.Paper && exists:
		return fmt.Errorf("%w: order %s belongs to paper %d", store.ErrTaken, o.ID, paper)
	case err == nil:
		if err := t.change(`DELETE FROM purchase WHERE id = ?`, id); err != nil {
			return err
		}
	case err != store.ErrNotFound:
		return err
	}
	return t.addOrder(tenant, o, key)
}

func (t *tx) AddOrder(tenant int64, o store.Order, key string) error {
	t.checkTenant(tenant)
	return t.addOrder(tenant, o, key)
}

func (t *tx) addOrder(tenant int64, o store.Order, key any) error {
	id, err := t.insert(`INSERT INTO purchase (tenant, order_id, node, date, checkout_type, key) VALUES (?, ?, ?, ?, ?, ?)`,
		tenant, o.ID, o.Paper, o.Date.Unix(), o.CheckoutType, key)
	if err != nil {
		return err
	}
	for i, l := range o.Lines {
		err := t.change(`INSERT INTO purchase_line (purchase, ordinal, product_id, name, description, price, amount) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			id, i+1, l.ProductID, l.Name, l.Description, l.Price, l.Amount)
		if err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) CountOrders(tenant, paper int64, since time.Time) (ofPaper, ofTenant int, err error) {
	err = t.row(`SELECT (SELECT count(*) FROM purchase WHERE node = ? AND date >= ?), (SELECT count(*) FROM purchase WHERE tenant = ? AND date >= ?)`,
		[]any{paper, since.Unix(), tenant, since.Unix()}, &ofPaper, &ofTenant)
	return ofPaper, ofTenant, err
}

func (t *tx) OrderByKey(paper int64, key string) (o store.Order, err error) {
	err = t.eachOrder(`p.node = ? AND p.key = ?`, []any{paper, key}, func(found store.Order) error {
		o = found
		return nil
	})
	if err == nil && o.ID == "" {
		err = store.ErrNotFound
	}
	return o, err
}
