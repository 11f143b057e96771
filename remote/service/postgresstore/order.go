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
	return t.Each(ordersOfPapers, []any{nonNil(papers), since.Unix(), checkoutType}, func(scan func(...any) error) error {
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
	err = t.Each(orderByKey, []any{paper, key}, func(scan func(...any) error) (err error) {
		found, err = scanOrder(scan)
		return err
	})
	if err == nil && found.ID == "" {
		err = store.ErrNotFound
	}
	return found, err
}
