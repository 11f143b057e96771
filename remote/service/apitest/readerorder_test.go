package apitest

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// shop is a server with a paper that sells two products.
type shop struct {
	*server
	paper string
	from  map[string]string // a browser's headers
}

func openShop(t *testing.T, change ...func(*service.Options)) *shop {
	s := start(t, change...)
	paper := s.paper(s.root(), "spring")
	sheet := pdftest.Sheet{Text: "Spring", Links: []pdftest.Link{tagged(421, "ipaper://Shop/RK-7"), tagged(300, "ipaper://Shop/GL-1")}}
	s.process(paper, pdftest.Attached([]pdftest.File{{Name: "products.csv", Content: products}}, sheet), pdfOptions(imports))
	for name, value := range map[string]string{"checkout": "CheckoutByEmail CheckoutByPrint CheckoutByExport", "shopEmail": "shop@example.org", "shopExportUrl": "https://shop.example/basket", "currency": "EUR"} {
		s.must(remote.SetSetting, "paperID", paper, "setting", name, "value", value)
	}
	return &shop{s, paper, map[string]string{"Sec-Fetch-Site": "same-origin", "Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded"}}
}

// order returns the form of a basket; lines are id, price and amount in turn.
func order(checkout, key string, lines ...string) url.Values {
	form := url.Values{"checkoutType": {checkout}, "key": {key}}
	for i := 0; i < len(lines); i += 3 {
		form.Add("productId", lines[i])
		form.Add("price", lines[i+1])
		form.Add("amount", lines[i+2])
	}
	return form
}

// post sends a form; header pairs replace those of a browser.
func (s *shop) post(form url.Values, header ...string) reply {
	s.t.Helper()
	return s.postTo("/spring/Order.ashx", form, header...)
}

func (s *shop) postTo(path string, form url.Values, header ...string) reply {
	s.t.Helper()
	req := testrun.Must(http.NewRequest(http.MethodPost, s.http.URL+path, strings.NewReader(form.Encode())))(s.t)
	for name, value := range s.from {
		req.Header.Set(name, value)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	return s.do(req)
}

type receipt struct {
	OrderID, Date, Total, Refused string
	Prices                        map[string]string
	Handover                      struct{ Type, To, Basket string }
}

func (s *shop) receipt(r reply) (v receipt) {
	s.t.Helper()
	require.NoError(s.t, json.Unmarshal([]byte(r.body), &v), r.body)
	return v
}

func (s *shop) orders() string {
	return s.must(remote.GetFlipbookOrdersByType, "paperId", s.paper, "checkoutType", "").data
}

// TestOrderIsRecorded checks that an order is recorded as the paper's links say, whatever else the
// browser sends, and once for its key.
func TestOrderIsRecorded(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	form := order("CheckoutByEmail", uuid.NewString(), "RK-7", "29.25", "2", "GL-1", "9", "1")
	form.Add("productName", "forged")
	r := s.post(form)
	require.Equal(t, 200, r.status, r.body)
	require.Equal(t, "no-store", r.header.Get("Cache-Control"))
	got := s.receipt(r)
	require.Regexp(t, `^[A-Za-z0-9]{6}$`, got.OrderID)
	require.Equal(t, "67.5", got.Total)
	require.True(t, strings.HasPrefix(got.Handover.To, "mailto:shop@example.org?subject=Order%20"+got.OrderID+"&body="), got.Handover.To)
	require.Contains(t, got.Handover.To, url.PathEscape("2 × Rake"))
	data := s.orders()
	require.Contains(t, data, fmt.Sprintf(`<order orderId="%s" orderDate="2031-05-04 10:00:00" checkoutType="CheckoutByEmail" orderLinesCount="2" totalOrderValue="67,5">`, got.OrderID))
	for _, line := range []string{"RK-7", "Rake", "Steel", "29,25", "Gloves"} {
		require.Contains(t, data, line)
	}
	require.NotContains(t, data, "forged")

	// A retry after a lost reply, and a double click, make no second order.
	var all sync.WaitGroup
	form.Set("key", uuid.NewString())
	ids := make([]string, 3)
	for i := range ids {
		all.Go(func() { ids[i] = s.receipt(s.post(form)).OrderID })
	}
	all.Wait()
	require.NotEqual(t, got.OrderID, ids[0])
	require.Equal(t, []string{ids[0], ids[0], ids[0]}, ids)
	require.Equal(t, 2, strings.Count(s.orders(), "<order "))
}

// TestOrdersThatAreRefused checks that a refused order is not recorded.
func TestOrdersThatAreRefused(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	key := uuid.NewString()
	good := func() url.Values { return order("CheckoutByEmail", key, "RK-7", "29.25", "1") }
	line := func(id, price, amount string) url.Values { return order("CheckoutByEmail", key, id, price, amount) }
	many := []string{}
	for range 201 {
		many = append(many, "RK-7", "29.25", "1")
	}
	uneven := good()
	uneven.Add("productId", "GL-1")
	large := good()
	large.Set("x", strings.Repeat("x", 16<<10))
	for name, c := range map[string]struct {
		form   url.Values
		header []string
		status int
	}{
		"another site":                   {good(), []string{"Sec-Fetch-Site", "cross-site"}, 403},
		"a sibling":                      {good(), []string{"Sec-Fetch-Site", "same-site"}, 403},
		"another origin":                 {good(), []string{"Sec-Fetch-Site", "", "Origin", "https://evil.example"}, 403},
		"no origin":                      {good(), []string{"Sec-Fetch-Site", ""}, 403},
		"null origin":                    {good(), []string{"Sec-Fetch-Site", "", "Origin", "null"}, 403},
		"JSON":                           {good(), []string{"Content-Type", "application/json"}, 415},
		"no type":                        {good(), []string{"Content-Type", ""}, 415},
		"large":                          {large, nil, 413},
		"forged price":                   {line("RK-7", "0.01", "1"), nil, 422},
		"no price":                       {line("RK-7", "", "1"), nil, 422},
		"foreign product":                {line("X-1", "1", "1"), nil, 422},
		"no amount":                      {line("RK-7", "29.25", "0"), nil, 422},
		"negative":                       {line("RK-7", "29.25", "-1"), nil, 422},
		"too much":                       {line("RK-7", "29.25", "10000"), nil, 422},
		"half":                           {line("RK-7", "29.25", "1.5"), nil, 422},
		"nothing":                        {order("CheckoutByEmail", key), nil, 422},
		"too many lines":                 {order("CheckoutByEmail", key, many...), nil, 422},
		"uneven":                         {uneven, nil, 422},
		"no key":                         {order("CheckoutByEmail", "", "RK-7", "29.25", "1"), nil, 422},
		"a malformed key":                {order("CheckoutByEmail", "1", "RK-7", "29.25", "1"), nil, 422},
		"another checkout":               {order("CheckoutByMagic", key, "RK-7", "29.25", "1"), nil, 422},
		"a checkout that is not offered": {order("CheckoutByWhatsApp", key, "RK-7", "29.25", "1"), nil, 422},
	} {
		r := s.post(c.form, c.header...)
		require.Equal(t, c.status, r.status, "%s: %s", name, r.body)
		require.Empty(t, s.receipt(r).OrderID)
		require.NotEmpty(t, s.receipt(r).Refused)
	}
	require.Equal(t, map[string]string{"RK-7": "29.25", "X-1": ""}, s.receipt(s.post(order("CheckoutByEmail", key, "RK-7", "30", "1", "X-1", "1", "1", "GL-1", "9", "1"))).Prices)
	require.Equal(t, 404, s.postTo("/nothing/Order.ashx", good()).status)
	require.Equal(t, 404, s.postTo("/Order.ashx", good()).status)
	r := s.get(s.http.URL + "/spring/Order.ashx")
	require.Equal(t, 405, r.status)
	require.Equal(t, "POST", r.header.Get("Allow"))

	token := s.must(remote.CreatePreviewToken, "paperID", s.paper, "validityMinutes", "60", "ip", "").element(t, "token")
	require.Equal(t, 403, s.postTo("/spring/Order.ashx?SecurityToken="+token, good()).status)
	require.Contains(t, s.postTo("/spring/Order.ashx?SecurityToken="+token, good()).body, "preview: nothing is sent")

	m := s.admin()
	require.NoError(t, m.SetReadOnly(true))
	r = s.post(good())
	require.Equal(t, 503, r.status)
	require.Equal(t, "60", r.header.Get("Retry-After"))
	require.NoError(t, m.SetReadOnly(false))
	require.NoError(t, m.ChangeTenant("default", func(settings *admin.TenantSettings) error { settings.NoOrders = true; return nil }))
	require.Equal(t, 403, s.post(good()).status)
	require.NoError(t, m.ChangeTenant("default", func(settings *admin.TenantSettings) error { settings.NoOrders = false; return nil }))
	s.must(remote.SetSetting, "paperID", s.paper, "setting", "checkout", "value", "")
	require.Equal(t, 403, s.post(good()).status)
	s.must(remote.SetSetting, "paperID", s.paper, "setting", "checkout", "value", "CheckoutByEmail")
	s.must(remote.SetPublicationPeriod, "paperID", s.paper, "from", "2030-01-01 00:00:00", "to", "2030-02-01 00:00:00")
	require.Equal(t, 404, s.post(good()).status)
	form := good()
	form.Set("language", "nl")
	hidden, none := s.post(form, "Accept", "text/html"), s.postTo("/autumn/Order.ashx", form, "Accept", "text/html")
	require.Equal(t, 404, hidden.status)
	require.Contains(t, hidden.body, "Deze publicatie is niet meer beschikbaar")
	require.Equal(t, none.body, hidden.body, "the answer does not reveal a hidden paper")
	s.must(remote.ClearPublicationPeriod, "paperID", s.paper)
	require.Contains(t, s.orders(), `count="0"`)
	require.Equal(t, 200, s.post(good()).status)
}

// TestAnOrderThatIsCutOff checks that a truncated order gets a 400 and that the log reports no
// fault of the service.
func TestAnOrderThatIsCutOff(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	conn := testrun.Must(net.Dial("tcp", s.http.Listener.Addr().String()))(t)
	defer conn.Close()
	_, err := fmt.Fprint(conn, "POST /spring/Order.ashx HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nkey=")
	require.NoError(t, err)
	require.NoError(t, conn.(*net.TCPConn).CloseWrite())
	answer := testrun.Must(io.ReadAll(conn))(t)
	require.Contains(t, string(answer), "HTTP/1.1 400 ")
}

// TestOrdersAtOnce checks that several clicks on one button count once toward the orders that an
// address may send.
func TestOrdersAtOnce(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	form := order("CheckoutByPrint", uuid.NewString(), "GL-1", "9", "1")
	for range 4 {
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() { s.post(form) })
		}
		all.Wait()
		form.Set("key", uuid.NewString())
	}
	require.Equal(t, 200, s.post(form).status)
	require.Equal(t, 5, strings.Count(s.orders(), "<order "))
}

// TestFloodOfOrders checks the limit of orders from one address.
func TestFloodOfOrders(t *testing.T) {
	t.Parallel()
	now := clock
	var mu sync.Mutex
	s := openShop(t, func(o *service.Options) { o.Now = func() time.Time { mu.Lock(); defer mu.Unlock(); return now } })
	pass := func(d time.Duration) { mu.Lock(); now = now.Add(d); mu.Unlock() }
	send := func() reply { return s.post(order("CheckoutByPrint", uuid.NewString(), "GL-1", "9", "1")) }
	taken := 0
	for minute := range 6 {
		for range 5 {
			require.Equal(t, 200, send().status, "order %d", taken)
			taken++
		}
		if minute < 5 {
			r := send()
			require.Equal(t, 429, r.status)
			require.Equal(t, "60", r.header.Get("Retry-After"))
		}
		pass(time.Minute)
	}
	r := send()
	require.Equal(t, 429, r.status)
	require.Equal(t, fmt.Sprint(int((24*time.Hour-6*time.Minute)/time.Second)), r.header.Get("Retry-After"))
	require.Contains(t, s.receipt(r).Refused, "too many")
	pass(24 * time.Hour)
	require.Equal(t, 200, send().status)
	require.Equal(t, 31, strings.Count(s.orders(), "<order "))
}

// TestOrderWithoutScripts checks that a browser without scripts gets a form for consent, and that
// submitting it makes the order.
func TestOrderWithoutScripts(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.from["Accept"] = "text/html"
	s.from["Sec-Fetch-Site"], s.from["Origin"] = "", s.http.URL
	r := s.post(url.Values{"productId": {"RK-7"}, "price": {"29.25"}, "amount": {"3"}})
	require.Equal(t, 200, r.status, r.body)
	require.Contains(t, r.body, "3 × <bdi>Rake</bdi> (<bdi>RK-7</bdi>): 29.25 EUR")
	require.Contains(t, r.body, "<strong>87.75 EUR</strong>")
	require.Contains(t, r.header.Get("Content-Security-Policy"), "form-action 'self' https://shop.example;")
	require.Contains(t, s.orders(), `count="0"`)
	key := between(r.body, `name="key" value="`, `"`)
	for range 2 { // the button may be pressed twice
		r = s.post(order("CheckoutByExport", key, "RK-7", "29.25", "3"))
		require.Equal(t, 200, r.status, r.body)
		require.Contains(t, r.body, `<form method="post" action="https://shop.example/basket">`)
		require.Contains(t, r.body, "&lt;item&gt;&lt;id&gt;RK-7&lt;/id&gt;")
	}
	require.Equal(t, 1, strings.Count(s.orders(), "<order "))
	r = s.post(order("CheckoutByExport", key, "RK-7", "1", "3"))
	require.Equal(t, 200, r.status, "the same key is the same order")
	r = s.post(order("CheckoutByExport", uuid.NewString(), "RK-7", "1", "3"))
	require.Equal(t, 422, r.status)
	require.Contains(t, r.body, "A price has changed")
}
