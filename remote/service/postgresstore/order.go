package postgresstore

import (
	"fmt"
	"time"

	"paperfs/remote/service/store"
)

// ordersOf selects orders, each with its lines in arrays. The verbs stand for a join, or nothing,
// and a condition.
const ordersOf = `
	SELECT p.order_id, p.node, p.date, p.checkout_type, l.product_id, l.name, l.description, l.price, l.amount
	FROM purchase p %s, LATERAL (
		SELECT array_agg(product_id ORDER BY ordinal) product_id, array_agg(name ORDER BY ordinal) "name", array_agg(description ORDER BY ordinal) description,
			array_agg(price ORDER BY ordinal) price, array_agg(amount ORDER BY ordinal) amount
		FROM purchase_line WHERE purchase = p.id) l
	WHERE %s`

var (
	ordersOfPapers = fmt.Sprintf(ordersOf, `JOIN unnest($1::bigint[]) WITH ORDINALITY AS wanted (paper, place) ON p.node = wanted.paper`,
		`p.date >= $2 AND ($3 = '' OR p.checkout_type = $3) ORDER BY place, p.date, p.id`)
	orderByKey = fmt.Sprintf(ordersOf, "", `p.node = $1 AND p.key = $2`)
)

func (t *tx) Orders(papers []int64, checkoutType string, since time.Time, visit func(store.Order) error) error {
	return t.each(ordersOfPapers, []any{nonNil(papers), since.Unix(), checkoutType}, func(scan func(...any) error) error {
		o, err := scanOrder(scan)
		if err != nil {
			return err
		}
		return visit(o)
	})
}

func scanOrder(scan func(...any) error) (o store.Order, err error) {
	var date int64
	var product, name, description, price []string
	var amount []int64
	if err := scan(&o.ID, &o.Paper, &date, &o.CheckoutType, &product, &name, &description, &price, &amount); err != nil {
		return o, err
	}
	o.Date = time.Unix(date, 0).UTC()
	for i := range product {
		o.Lines = append(o.Lines, store.OrderLine{ProductID: product[i], Name: name[i], Description: description[i], Price: price[i], Amount: amount[i]})
	}
	return o, nil
}

func (t *tx) OrderByKey(paper int64, key string) (found store.Order, err error) {
	err = t.each(orderByKey, []any{paper, key}, func(scan func(...any) error) (err error) {
		found, err = scanOrder(scan)
		return err
	})
	if err == nil && found.ID == "" {
		err = store.ErrNotFound
	}
	return found, err
}

func (t *tx) CountOrders(tenant, paper int64, since time.Time) (ofPaper, ofTenant int, err error) {
	err = t.row(`SELECT (SELECT count(*) FROM purchase WHERE node = $1 AND date >= $2), (SELECT count(*) FROM purchase WHERE tenant = $3 AND date >= $2)`,
		[]any{paper, since.Unix(), tenant}, &ofPaper, &ofTenant)
	return ofPaper, ofTenant, err
}

func (t *tx) PapersWithOrders(tenant int64, checkoutType string, since time.Time) ([]int64, error) {
	return all(t, `
		SELECT DISTINCT p.node FROM purchase p JOIN node ON node.id = p.node
		WHERE p.tenant = $1 AND p.date >= $2 AND ($3 = '' OR p.checkout_type = $3) ORDER BY p.node`,
		[]any{tenant, since.Unix(), checkoutType}, func(scan func(...any) error, id *int64) error { return scan(id) })
}

func (t *tx) PutOrder(tenant int64, o store.Order) error {
	if err := t.checkTenant(tenant); err != nil {
		return err
	}
	var id, paper int64
	var key *string
	var exists bool
	err := t.row(`SELECT id, node, key, EXISTS (SELECT 1 FROM node WHERE id = purchase.node) FROM purchase WHERE tenant = $1 AND order_id = $2`,
		[]any{tenant, o.ID}, &id, &paper, &key, &exists)
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
	return t.addOrder(tenant, o, key)
}

func (t *tx) AddOrder(tenant int64, o store.Order, key string) error {
	if err := t.checkTenant(tenant); err != nil {
		return err
	}
	return t.addOrder(tenant, o, &key)
}

func (t *tx) addOrder(tenant int64, o store.Order, key *string) error {
	id, err := t.insert(`INSERT INTO purchase (tenant, order_id, node, date, checkout_type, key) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
		tenant, o.ID, o.Paper, o.Date.Unix(), o.CheckoutType, key)
	if err != nil {
		return err
	}
	return t.copy("purchase_line", []string{"purchase", "ordinal", "product_id", "name", "description", "price", "amount"}, len(o.Lines),
		func(i int) ([]any, error) {
			l := o.Lines[i]
			return []any{id, int64(i + 1), l.ProductID, l.Name, l.Description, l.Price, l.Amount}, nil
		})
}
