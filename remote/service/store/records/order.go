package records

import (
	"fmt"
	"time"

	"paperfs/remote/service/store"
)

// CountOrders implements store.OrderReader.
func (q Queries) CountOrders(tenant, paper int64, since time.Time) (ofPaper, ofTenant int, err error) {
	err = q.tx.Row(`SELECT (SELECT count(*) FROM purchase WHERE node = $1 AND date >= $2), (SELECT count(*) FROM purchase WHERE tenant = $3 AND date >= $2)`,
		[]any{paper, since.Unix(), tenant}, &ofPaper, &ofTenant)
	return ofPaper, ofTenant, err
}

// PapersWithOrders implements store.OrderReader.
func (q Queries) PapersWithOrders(tenant int64, checkoutType string, since time.Time) ([]int64, error) {
	return All(q.tx, `
		SELECT DISTINCT p.node FROM purchase p JOIN node ON node.id = p.node AND node.tenant = p.tenant
		WHERE p.tenant = $1 AND p.date >= $2 AND ($3 = '' OR p.checkout_type = $3) ORDER BY p.node`,
		[]any{tenant, since.Unix(), checkoutType}, one[int64])
}

// PutOrder implements store.OrderWriter.
func (q Queries) PutOrder(tenant int64, o store.Order) error {
	if err := q.tx.CheckTenant(tenant); err != nil {
		return err
	}
	var id, paper int64
	var key *string
	var exists bool
	err := q.tx.Row(`SELECT id, node, key, EXISTS (SELECT 1 FROM node WHERE id = purchase.node AND node.tenant = purchase.tenant) FROM purchase WHERE tenant = $1 AND order_id = $2`,
		[]any{tenant, o.ID}, &id, &paper, &key, &exists)
	switch {
	case err == nil && paper != o.Paper && exists:
		return q.tx.Fail(fmt.Errorf("%w: order %s belongs to paper %d", store.ErrTaken, o.ID, paper))
	case err == nil:
		if err := q.tx.Change(`DELETE FROM purchase WHERE id = $1`, id); err != nil {
			return err
		}
	case err != store.ErrNotFound:
		return err
	}
	return q.addOrder(tenant, o, key)
}

// AddOrder implements store.OrderWriter.
func (q Queries) AddOrder(tenant int64, o store.Order, key string) error {
	if err := q.tx.CheckTenant(tenant); err != nil {
		return err
	}
	return q.addOrder(tenant, o, &key)
}

func (q Queries) addOrder(tenant int64, o store.Order, key *string) error {
	id, err := q.tx.Insert(`INSERT INTO purchase (tenant, order_id, node, date, checkout_type, key) VALUES ($1, $2, $3, $4, $5, $6)`,
		tenant, o.ID, o.Paper, o.Date.Unix(), o.CheckoutType, key)
	if err != nil {
		return err
	}
	return q.tx.InsertMany("purchase_line", []string{"purchase", "ordinal", "product_id", "name", "description", "price", "amount"}, len(o.Lines),
		func(i int) ([]any, error) {
			l := o.Lines[i]
			return []any{id, int64(i + 1), l.ProductID, l.Name, l.Description, l.Price, l.Amount}, nil
		})
}
