package importfile

import (
	"paperfs/remote/rules"
	"paperfs/remote/service/store"
)

var orderID = rules.Pattern(`^[A-Za-z0-9_-]{1,64}$`)

func readOrders(n *Node, e *paper) error {
	for _, list := range e.Orders {
		for _, o := range list.v.Orders {
			order, err := readOrder(o.line, &o.v)
			if err != nil {
				return err
			}
			n.Orders = append(n.Orders, order)
		}
	}
	return nil
}

func readOrder(line int, e *order) (Order, error) {
	o := Order{line, store.Order{ID: rules.Trim(e.ID), CheckoutType: rules.Trim(e.CheckoutType)}}
	if !orderID().MatchString(o.ID) {
		return o, Errorf(line, "orderId %q has to be 1 to 64 letters and digits", e.ID)
	}
	var ok bool
	if o.Date, ok = rules.Time(e.Date); !ok {
		return o, Errorf(line, "orderDate %q has to be a time like 2031-03-01 06:00:00", e.Date)
	}
	for _, l := range e.Lines {
		row := store.OrderLine{ProductID: rules.Trim(l.v.ProductID), Name: rules.Trim(l.v.Name), Description: rules.Trim(l.v.Description)}
		if row.Price, ok = rules.Decimal(l.v.Price); !ok {
			return o, Errorf(l.line, "productPrice %q has to be a number like 29,25", l.v.Price)
		}
		if row.Amount, ok = whole(l.v.Amount); !ok {
			return o, Errorf(l.line, "amount %q has to be a whole number", l.v.Amount)
		}
		o.Lines = append(o.Lines, row)
	}
	return o, nil
}
