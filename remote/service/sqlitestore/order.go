package sqlitestore

import (
	"database/sql"
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
	err := t.Each(`
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
