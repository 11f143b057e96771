package service

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/fault"
	"paperfs/remote/service/location"
	"paperfs/remote/service/store"
)

// orderMonths is how long an order can be asked for.
const orderMonths = 3

// checkoutType reads the parameter checkoutType.
func (c *call) checkoutType() (string, error) {
	kind := rules.Trim(c.param("checkoutType"))
	if kind == "" || slices.Contains(rules.CheckoutTypes, kind) {
		return kind, nil
	}
	f := fault.Refuse(remote.UnsupportedCheckoutType, "The checkout type is not supported.")
	f.Data = func(x *answer.Writer) {
		x.Chars(fmt.Sprintf(`The parameter checkoutType has to be one of "", "%s".`, strings.Join(rules.CheckoutTypes, `", "`)))
	}
	return "", f
}

// getFlipbookOrders answers GetFlipbookOrdersByType.
func getFlipbookOrders(c *call, x *answer.Writer) error {
	id, err := c.id("paperId")
	if err != nil {
		return err
	}
	kind, err := c.checkoutType()
	if err != nil {
		return err
	}
	return c.read(func(tx store.Reader) error {
		if err := c.licensedForOrders(); err != nil {
			return err
		}
		paper, err := c.locatedPaper(tx, id)
		if err != nil {
			return err
		}
		return c.writeOrders(tx, x, []location.Node{paper}, kind)
	})
}

// getLicenseOrders answers GetLicenseOrdersByType.
func getLicenseOrders(c *call, x *answer.Writer) error {
	kind, err := c.checkoutType()
	if err != nil {
		return err
	}
	return c.read(func(tx store.Reader) error {
		if err := c.licensedForOrders(); err != nil {
			return err
		}
		root, err := c.node(tx, c.tenant.Root)
		if err != nil {
			return err
		}
		ids, err := tx.PapersWithOrders(c.tenant.ID, kind, c.ordersSince())
		if err != nil {
			return err
		}
		papers, err := location.Find(tx, c.tenant, root, func(id int64) bool {
			_, found := slices.BinarySearch(ids, id)
			return found
		})
		if err != nil {
			return err
		}
		return c.writeOrders(tx, x, papers, kind)
	})
}

func (c *call) licensedForOrders() error {
	if !c.tenant.Orders {
		return fault.Refuse(remote.LoginSecurityViolation, "The licence does not include orders.")
	}
	return nil
}

func (c *call) ordersSince() time.Time { return monthsBefore(c.service.now().UTC(), orderMonths) }

// monthsBefore goes back by calendar months, at most to the last day of the
// month: three months before May 31 is the end of February.
func monthsBefore(t time.Time, months int) time.Time {
	back := t.AddDate(0, -months, 0)
	if back.Day() != t.Day() {
		back = back.AddDate(0, 0, -back.Day())
	}
	return back
}

func (c *call) writeOrders(tx store.Reader, x *answer.Writer, papers []location.Node, kind string) error {
	if len(papers) == 0 {
		x.Empty("flipbooks")
		return nil
	}
	x.Open("flipbooks")
	w := orderWriter{x: x, papers: papers}
	err := tx.Orders(location.IDs(papers), kind, c.ordersSince(), func(o store.Order) error {
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
	papers []location.Node // not written yet
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
