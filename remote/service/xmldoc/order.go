package xmldoc

import (
	"strconv"
	"strings"
	"time"

	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
)

// Orders writes papers, each with its orders of a checkout type since a time.
func Orders(tx store.Reader, x *answer.Writer, papers []address.Place, checkoutType string, since time.Time) error {
	if len(papers) == 0 {
		x.Empty("flipbooks")
		return nil
	}
	x.Open("flipbooks")
	w := orderWriter{x: x, papers: papers}
	err := tx.Orders(address.IDs(papers), checkoutType, since, func(o store.Order) error {
		for w.papers[0].ID != o.Paper {
			if err := w.next(); err != nil {
				return err
			}
		}
		w.orders = append(w.orders, o)
		return nil
	})
	for err == nil && len(w.papers) > 0 {
		err = w.next()
	}
	if err == nil {
		x.Close("flipbooks")
	}
	return err
}

// orderWriter writes papers with their orders, which come in the same order.
type orderWriter struct {
	x      *answer.Writer
	papers []address.Place // not written yet
	orders []store.Order   // of the first of them
}

// next writes the first paper.
func (w *orderWriter) next() error {
	p := w.papers[0]
	w.x.Open("flipbook", answer.Int("id", p.ID), answer.String("name", p.Name), answer.String("url", p.URL()))
	if err := writeOrderList(w.x, w.orders); err != nil {
		return err
	}
	w.x.Close("flipbook")
	w.papers, w.orders = w.papers[1:], w.orders[:0]
	return nil
}

// writeOrderList writes orders that are sorted by date.
func writeOrderList(x *answer.Writer, orders []store.Order) error {
	if len(orders) == 0 {
		x.Empty("orders", answer.Int("count", 0))
		return nil
	}
	x.Open("orders", answer.Int("count", int64(len(orders))),
		answer.String("earliestOrderDate", rules.FormatTime(orders[0].Date)), answer.String("latestOrderDate", rules.FormatTime(orders[len(orders)-1].Date)))
	for _, o := range orders {
		total, err := o.Total()
		if err != nil {
			return err
		}
		attrs := []answer.Attr{answer.String("orderId", o.ID), answer.String("orderDate", rules.FormatTime(o.Date)), answer.String("checkoutType", o.CheckoutType),
			answer.Int("orderLinesCount", int64(len(o.Lines))), answer.String("totalOrderValue", strings.Replace(total, ".", ",", 1))}
		if len(o.Lines) == 0 {
			x.Empty("order", attrs...)
			continue
		}
		x.Open("order", attrs...)
		for _, l := range o.Lines {
			x.Open("orderLine")
			x.Scalar("productId", l.ProductID)
			x.Text("productName", l.Name)
			x.Text("productDescription", l.Description)
			x.Scalar("productPrice", strings.Replace(l.Price, ".", ",", 1))
			x.Scalar("amount", strconv.FormatInt(l.Amount, 10))
			x.Close("orderLine")
		}
		x.Close("order")
	}
	x.Close("orders")
	return nil
}
