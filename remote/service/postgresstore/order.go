package postgresstore

import (
	"fmt"
	"time"

	"paperfs/remote/service/store"
)

func (t *tx) Orders(papers []int64, checkoutType string, since time.Time, visit func(store.Order) error) error {
	// One row an order, with its lines in arrays.
	return t.each(`
		SELECT p.order_id, p.node, p.date, p.checkout_type, l.product_id, l.name, l.description, l.price, l.amount
		FROM unnest($1::bigint[]) WITH ORDINALITY AS wanted (paper, place) JOIN purchase p ON p.node = wanted.paper, LATERAL (
			SELECT array_agg(product_id ORDER BY ordinal) product_id, array_agg(name ORDER BY ordinal) "name", array_agg(description ORDER BY ordinal) description,
				array_agg(price ORDER BY ordinal) price, array_agg(amount ORDER BY ordinal) amount
			FROM purchase_line WHERE purchase = p.id) l
		WHERE p.date >= $2 AND ($3 = '' OR p.checkout_type = $3)
		ORDER BY place, p.date, p.id`, []any{some(papers), since.Unix(), checkoutType},
		func(scan func(...any) error) error {
			var o store.Order
			var date int64
			var product, name, description, price []string
			var amount []int64
			if err := scan(&o.ID, &o.Paper, &date, &o.CheckoutType, &product, &name, &description, &price, &amount); err != nil {
				return err
			}
			o.Date = time.Unix(date, 0).UTC()
			for i := range product {
				o.Lines = append(o.Lines, store.OrderLine{ProductID: product[i], Name: name[i], Description: description[i], Price: price[i], Amount: amount[i]})
			}
			return visit(o)
		})
}

func (t *tx) PapersWithOrders(tenant int64, checkoutType string, since time.Time) ([]int64, error) {
	return all(t, `
		SELECT DISTINCT p.node FROM purchase p JOIN node ON node.id = p.node
		WHERE p.tenant = $1 AND p.date >= $2 AND ($3 = '' OR p.checkout_type = $3) ORDER BY p.node`,
		[]any{tenant, since.Unix(), checkoutType}, func(scan func(...any) error, id *int64) error { return scan(id) })
}

func (t *tx) PutOrder(tenant int64, o store.Order) error {
	if err := t.of(tenant); err != nil {
		return err
	}
	var id, paper int64
	var exists bool
	err := t.row(`SELECT id, node, EXISTS (SELECT 1 FROM node WHERE id = purchase.node) FROM purchase WHERE tenant = $1 AND order_id = $2`,
		[]any{tenant, o.ID}, &id, &paper, &exists)
	switch {
	case err == nil && paper != o.Paper && exists:
		return t.fail(fmt.Errorf("%w: order %s belongs to paper %d", store.ErrTaken, o.ID, paper))
	case err == nil:
		if err := t.change(`DELETE FROM purchase WHERE id = $1`, id); err != nil {
			return err
		}
	case err != store.ErrNotFound:
		return err
	}
	id, err = t.insert(`INSERT INTO purchase (tenant, order_id, node, date, checkout_type) VALUES ($1, $2, $3, $4, $5) RETURNING id`,
		tenant, o.ID, o.Paper, o.Date.Unix(), o.CheckoutType)
	if err != nil {
		return err
	}
	return t.copy("purchase_line", []string{"purchase", "ordinal", "product_id", "name", "description", "price", "amount"}, len(o.Lines),
		func(i int) ([]any, error) {
			l := o.Lines[i]
			return []any{id, int64(i + 1), l.ProductID, l.Name, l.Description, l.Price, l.Amount}, nil
		})
}
