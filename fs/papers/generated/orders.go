package generated

import (
	"context"
	"strings"

	"paperfs/cache/document"
	"paperfs/fs/virtual"
	"paperfs/remote/rules"
)

// orders is the directory of a paper's orders: a file for each checkout type, and all.xml
// for all of them.
type orders struct {
	*Nodes
	id int64
}

const allOrders = "all"

var orderEntries = func() []virtual.Entry {
	entries := []virtual.Entry{virtual.FileEntry(allOrders + ".xml")}
	for _, checkoutType := range rules.CheckoutTypes {
		entries = append(entries, virtual.FileEntry(checkoutType+".xml"))
	}
	return entries
}()

func (o orders) List(context.Context) ([]virtual.Entry, error) { return orderEntries, nil }

// Fixed implements virtual.Fixed.
func (o orders) Fixed() {}

func (o orders) Find(_ context.Context, name string) (virtual.Node, error) {
	base, ok := strings.CutSuffix(name, ".xml")
	if !ok {
		return nil, nil
	}
	if base == allOrders {
		return o.file(""), nil
	}
	for _, checkoutType := range rules.CheckoutTypes {
		if checkoutType == base {
			return o.file(checkoutType), nil
		}
	}
	return nil, nil
}

func (o orders) file(checkoutType string) virtual.Node {
	return o.document(o.id,
		func(ctx context.Context) ([]byte, error) { return o.Documents.Orders(ctx, o.id, checkoutType) },
		func() ([]byte, bool) { return o.Documents.Known(document.DocOrders, o.id, checkoutType) })
}
