package answer

import (
	"strconv"
	"strings"
	"time"

	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/store"
)

// Orders writes papers, each with its orders of a checkout type since a time.
func Orders(tx store.Reader, w *Writer, papers []address.Place, checkoutType string, since time.Time) error {
	if len(papers) == 0 {
		w.Empty("flipbooks")
		return nil
	}
	w.Open("flipbooks")
	all := orderWriter{w: w, papers: papers}
	err := tx.Orders(address.IDs(papers), checkoutType, since, func(o store.Order) error {
		for all.papers[0].ID != o.Paper {
			if err := all.next(); err != nil {
				return err
			}
		}
		all.orders = append(all.orders, o)
		return nil
	})
	for err == nil && len(all.papers) > 0 {
		err = all.next()
	}
	if err == nil {
		w.Close("flipbooks")
	}
	return err
}

// orderWriter writes papers with their orders, which come in the same order.
type orderWriter struct {
	w      *Writer
	papers []address.Place // not written yet
	orders []store.Order   // of the first of them
}

// next writes the first paper.
func (o *orderWriter) next() error {
	p := o.papers[0]
	o.w.Open("flipbook", Int("id", p.ID), String("name", p.Name), String("url", p.URL()))
	if err := writeOrderList(o.w, o.orders); err != nil {
		return err
	}
	o.w.Close("flipbook")
	o.papers, o.orders = o.papers[1:], o.orders[:0]
	return nil
}

// writeOrderList writes orders that are sorted by date.
func writeOrderList(w *Writer, orders []store.Order) error {
	if len(orders) == 0 {
		w.Empty("orders", Int("count", 0))
		return nil
	}
	w.Open("orders", Int("count", int64(len(orders))),
		String("earliestOrderDate", rules.FormatTime(orders[0].Date)), String("latestOrderDate", rules.FormatTime(orders[len(orders)-1].Date)))
	for _, o := range orders {
		total, err := o.Total()
		if err != nil {
			return err
		}
		w.Open("order", String("orderId", o.ID), String("orderDate", rules.FormatTime(o.Date)), String("checkoutType", o.CheckoutType),
			Int("orderLinesCount", int64(len(o.Lines))), String("totalOrderValue", strings.Replace(total, ".", ",", 1)))
		for _, l := range o.Lines {
			w.Open("orderLine")
			w.Scalar("productId", l.ProductID)
			w.Text("productName", l.Name)
			w.Text("productDescription", l.Description)
			w.Scalar("productPrice", strings.Replace(l.Price, ".", ",", 1))
			w.Scalar("amount", strconv.FormatInt(l.Amount, 10))
			w.Close("orderLine")
		}
		w.Close("order")
	}
	w.Close("orders")
	return nil
}
