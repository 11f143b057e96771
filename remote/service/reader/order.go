package reader

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/reader/view"
	"paperfs/remote/service/store"
)

// ordering is a request that places an order.
type ordering struct {
	*Reader
	r      *http.Request
	tenant store.Tenant
	node   store.Node
	frame  view.Frame
	shop   *shop
	query  string
	form   url.Values // nil until it is read
}

// serveOrder takes an order, which only the paper's own page can send. Names and prices come
// from the paper's links. The service asks nothing about the person who orders.
func (s *Reader) serveOrder(w http.ResponseWriter, r *http.Request, path string, log *slog.Logger) {
	w.Header().Set("Cache-Control", "no-store")
	o := &ordering{Reader: s, r: r}
	err := o.open(path)
	if err == nil && r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST")
		answer.Error(w, http.StatusMethodNotAllowed, "Only POST.")
		return
	}
	var receipt view.Receipt
	if err == nil {
		receipt, err = o.take(w)
	}
	var refused *refusal
	var slow *answer.Failure
	switch {
	case err == nil:
		o.answer(w, http.StatusOK, receipt)
	case store.IsNotFound(err):
		o.gone(w, path)
	case errors.As(err, &refused):
		refused.retry(w.Header())
		words := o.frame.Words()
		receipt = view.Receipt{Refused: words.Refused, Prices: refused.prices}
		if refused.say != nil {
			receipt.Refused = refused.say(words)
		}
		o.answer(w, refused.status, receipt)
	case errors.As(err, &slow):
		slow.Answer(w)
	default:
		failed(w, r, err, log, "order not taken", "The order cannot be taken now.")
	}
}

// open finds the paper and checks that it takes orders. It returns store.ErrNotFound if the
// client may not see the paper.
func (o *ordering) open(path string) error {
	return o.Store.Read(o.r.Context(), func(tx store.Reader) (err error) {
		if o.tenant, o.node, err = address.NodeAt(tx, o.r.Host, path); err != nil {
			return err
		}
		if o.node.Kind != remote.PaperNode {
			return store.ErrNotFound
		}
		_, preview, err := o.mayOpen(tx, o.r, o.node)
		if errors.Is(err, errToken) {
			return store.ErrNotFound
		}
		if err != nil {
			return err
		}
		frame, conf, err := o.Reader.frame(tx, o.r, o.tenant, o.node)
		if err != nil {
			return err
		}
		o.frame, o.shop, o.query = frame, shopOf(conf, o.tenant), readerQuery(o.r.URL.Query(), frame)
		if conf.err != nil {
			return conf.err
		}
		readOnly, err := tx.ReadOnly()
		switch {
		case err != nil, o.r.Method != http.MethodPost:
			return err
		case o.shop == nil:
			return refuse(http.StatusForbidden)
		case preview:
			return &refusal{status: http.StatusForbidden, say: func(w view.Words) string { return w.OnlyPreview }}
		case readOnly:
			return notNow()
		}
		return nil
	})
}

// take reads the order and records it. An order from a page without scripts has no checkout
// type; take returns it to be confirmed.
func (o *ordering) take(w http.ResponseWriter) (view.Receipt, error) {
	form, err := readForm(w, o.r, orderBytes)
	if err != nil {
		return view.Receipt{}, err
	}
	o.form = form
	if !sameSite(o.r, o.tenant) {
		return view.Receipt{}, refuse(http.StatusForbidden)
	}
	wanted, ok := parseOrder(form)
	if !ok || wanted.checkout != "" && !slices.Contains(o.shop.types, wanted.checkout) {
		return view.Receipt{}, refuse(http.StatusUnprocessableEntity)
	}
	var order store.Order
	err = o.Store.Read(o.r.Context(), func(tx store.Reader) error {
		if order, err = tx.OrderByKey(o.node.ID, wanted.key); !store.IsNotFound(err) {
			return err
		}
		changed, err := wanted.find(tx, o.node.ID)
		if err == nil && changed != nil {
			return &refusal{status: http.StatusUnprocessableEntity, prices: changed, say: func(w view.Words) string { return w.Changed }}
		}
		return err
	})
	if err != nil {
		return view.Receipt{}, err
	}
	if wanted.checkout == "" {
		return o.confirm(wanted)
	}
	if order.CheckoutType != wanted.checkout { // a new order, or another choice after a lost reply
		if order, err = o.record(wanted); err != nil {
			return view.Receipt{}, err
		}
	}
	return o.receipt(order)
}

// record adds the order, or changes the checkout type of the order that has the key already.
func (o *ordering) record(wanted orderForm) (recorded store.Order, err error) {
	now, from := o.Now().UTC(), address.Network(o.r)
	if wait := o.Orders.take(from, now); wait > 0 {
		return store.Order{}, tooMany(wait)
	}
	attempted := ""
	defer func() {
		var refused *refusal
		tooMany := errors.As(err, &refused) && refused.status == http.StatusTooManyRequests
		if !tooMany && (err != nil || recorded.ID != attempted) {
			o.Orders.giveBack(from, now)
		}
	}()
	order := store.Order{Paper: o.node.ID, Date: now.Truncate(time.Second), CheckoutType: wanted.checkout}
	for _, l := range wanted.lines {
		order.Lines = append(order.Lines, store.OrderLine{ProductID: l.id, Name: l.found.Name, Description: l.found.Description, Price: l.found.Price, Amount: l.amount})
	}
	for attempt := 1; ; attempt++ {
		order.ID = orderID()
		attempted = order.ID
		added := order
		// The order is recorded even if the client disconnects: the same key finds it.
		err := o.Store.Write(context.WithoutCancel(o.r.Context()), o.tenant.ID, func(tx store.Writer) error {
			return o.add(tx, &added, wanted.key, now)
		})
		if err == nil || !errors.Is(err, store.ErrTaken) || attempt == mostAttempts {
			return added, err
		}
	}
}

// mostAttempts is how many random ids record tries before it gives up.
const mostAttempts = 10

// add is the store change of an order. If the key has an order already, add returns that one
// in order, and changes only its checkout type: the handover must match the record.
func (o *ordering) add(tx store.Writer, order *store.Order, key string, now time.Time) error {
	readOnly, err := tx.ReadOnly()
	switch {
	case err != nil:
		return err
	case readOnly:
		return notNow()
	}
	if _, err := tx.Node(o.tenant.ID, o.node.ID); err != nil {
		return err
	}
	if found, err := tx.OrderByKey(o.node.ID, key); !store.IsNotFound(err) {
		kind := order.CheckoutType
		if *order = found; err != nil || found.CheckoutType == kind {
			return err
		}
		order.CheckoutType = kind
		return tx.PutOrder(o.tenant.ID, *order)
	}
	ofPaper, ofTenant, err := tx.CountOrders(o.tenant.ID, o.node.ID, now.Add(-day))
	if err != nil {
		return err
	}
	if ofPaper >= paperDay || ofTenant >= tenantDay {
		return tooMany(time.Hour)
	}
	return tx.AddOrder(o.tenant.ID, *order, key)
}

// confirm returns the receipt that asks to confirm an order sent without scripts, with a new key.
func (o *ordering) confirm(wanted orderForm) (view.Receipt, error) {
	order := store.Order{}
	for _, l := range wanted.lines {
		order.Lines = append(order.Lines, store.OrderLine{ProductID: l.id, Name: l.found.Name, Price: l.found.Price, Amount: l.amount})
	}
	v, err := o.receipt(order)
	v.Key = uuid.NewString()
	return v, err
}

// receipt returns an order as the reader sees it.
func (o *ordering) receipt(order store.Order) (view.Receipt, error) {
	total, err := order.Total()
	v := view.Receipt{ID: order.ID, Total: total}
	if err != nil {
		return v, err
	}
	for _, l := range order.Lines {
		v.Lines = append(v.Lines, view.ReceiptLine{ID: l.ProductID, Name: l.Name, Price: l.Price, Amount: l.Amount})
	}
	if order.ID != "" {
		text, err := o.shop.orderText(o.frame, order, textBytes)
		all, also := o.shop.orderText(o.frame, order, math.MaxInt)
		if err := cmp.Or(err, also); err != nil {
			return v, err
		}
		v.Date, v.Handover = rules.FormatTime(order.Date), o.shop.handover(order, text, all)
	}
	return v, nil
}

// answer sends JSON to a script, and a page to a browser that sent the form itself.
func (o *ordering) answer(w http.ResponseWriter, status int, v view.Receipt) {
	h := w.Header()
	var body strings.Builder
	if strings.Contains(o.r.Header.Get("Accept"), "application/json") {
		h.Set("Content-Type", "application/json")
		_ = json.NewEncoder(&body).Encode(v) // cannot fail: all fields are strings
	} else {
		v.Frame, v.Query = o.frame, o.query
		if o.shop != nil {
			v.Shop = o.shop.view(o.node.ID, false)
		}
		h.Set("Content-Type", "text/html; charset=utf-8")
		pageHeaders(h, view.Policy{Export: o.shop.origin(), Style: o.frame.Style()})
		if err := v.Write(&body); err != nil {
			panic(fmt.Errorf("the page of an order: %w", err)) // cannot fail: a buffer takes all
		}
	}
	w.WriteHeader(status)
	_, _ = w.Write([]byte(body.String())) // the client may have disconnected
}
