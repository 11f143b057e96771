package apitest

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
)

const springOrders = `<flipbook id="3" name="Spring 2031" url="/garden/spring-2031/">` +
	`<orders count="2" earliestOrderDate="2031-02-04 10:00:00" latestOrderDate="2031-04-02 09:15:00">` +
	`<order orderId="aaaaa1" orderDate="2031-02-04 10:00:00" checkoutType="CheckoutByEmail" orderLinesCount="0" totalOrderValue="0" />` +
	springPrint + `</orders></flipbook>`

const springPrint = `<order orderId="Zk81qP" orderDate="2031-04-02 09:15:00" checkoutType="CheckoutByPrint" orderLinesCount="2" totalOrderValue="87,5">` +
	`<orderLine><productId><![CDATA[RK-7]]></productId><productName><![CDATA[Rake]]></productName><productDescription><![CDATA[Steel, 40 cm]]></productDescription>` +
	`<productPrice><![CDATA[29,25]]></productPrice><amount><![CDATA[2]]></amount></orderLine>` +
	`<orderLine><productId><![CDATA[GL-1]]></productId><productName><![CDATA[Gloves]]></productName><productDescription><![CDATA[]]></productDescription>` +
	`<productPrice><![CDATA[29]]></productPrice><amount><![CDATA[1]]></amount></orderLine></order>`

const rainOrders = `<flipbook id="6" name="Rain &amp; hoses" url="/pumps/old/rain/">` +
	`<orders count="1" earliestOrderDate="2031-03-01 00:00:00" latestOrderDate="2031-03-01 00:00:00">` +
	`<order orderId="bbbbb1" orderDate="2031-03-01 00:00:00" checkoutType="CheckoutBySms" orderLinesCount="1" totalOrderValue="0,3">` +
	`<orderLine><productId><![CDATA[x]]></productId><productName><![CDATA[y]]></productName><productDescription><![CDATA[]]></productDescription>` +
	`<productPrice><![CDATA[0,1]]></productPrice><amount><![CDATA[3]]></amount></orderLine></order></orders></flipbook>`

func TestGetFlipbookOrders(t *testing.T) {
	t.Parallel()
	s := imported(t)
	op := remote.GetFlipbookOrdersByType
	r := s.both(op, "paperId", "3", "checkoutType", "")
	require.Equal(t, "<flipbooks>"+springOrders+"</flipbooks>", r.flat(), "orders of the last three months, to the second")
	require.Equal(t, r.body, s.call(op, "paperId", "3").body, "checkoutType may be absent")
	require.Equal(t, `<flipbooks><flipbook id="3" name="Spring 2031" url="/garden/spring-2031/">`+
		`<orders count="1" earliestOrderDate="2031-04-02 09:15:00" latestOrderDate="2031-04-02 09:15:00">`+springPrint+`</orders></flipbook></flipbooks>`,
		s.both(op, "paperId", "3", "checkoutType", " CheckoutByPrint ").flat())
	for _, kind := range []string{"CheckoutByExport", "CheckoutByWhatsApp", "CheckoutBySharingEmail", "CheckoutBySms"} {
		require.Equal(t, `<flipbooks><flipbook id="3" name="Spring 2031" url="/garden/spring-2031/"><orders count="0" /></flipbook></flipbooks>`,
			s.must(op, "paperId", "3", "checkoutType", kind).flat())
	}
	for _, kind := range []string{"checkoutbyprint", "CheckoutByCash", "CheckoutByPrint,CheckoutByEmail"} {
		r := s.fails(remote.UnsupportedCheckoutType, op, "paperId", "3", "checkoutType", kind)
		require.Equal(t, `<![CDATA[The parameter checkoutType has to be one of "", "CheckoutByEmail", "CheckoutByExport", "CheckoutByPrint", `+
			`"CheckoutByWhatsApp", "CheckoutBySharingEmail", "CheckoutBySms".]]>`, r.data)
	}
	s.fails(remote.PaperMustNotBeCategory, op, "paperId", "2", "checkoutType", "")
	s.fails(remote.PaperDoesNotExist, op, "paperId", "999", "checkoutType", "")
	s.fails(remote.Failure, op, "paperId", "", "checkoutType", "")
	require.NoError(t, s.admin().SetReadOnly(true))
	s.must(op, "paperId", "3", "checkoutType", "")
}

func TestGetLicenseOrders(t *testing.T) {
	t.Parallel()
	s := imported(t)
	op := remote.GetLicenseOrdersByType
	require.Equal(t, "<flipbooks>"+springOrders+rainOrders+"</flipbooks>", s.both(op, "checkoutType", "").flat())
	require.Equal(t, "<flipbooks>"+rainOrders+"</flipbooks>", s.both(op, "checkoutType", "CheckoutBySms").flat())
	require.Equal(t, "<flipbooks />", s.both(op, "checkoutType", "CheckoutByExport").data)
	s.fails(remote.UnsupportedCheckoutType, op, "checkoutType", "x")
	require.NoError(t, setTenant(s.admin(), admin.TenantSettings{Name: "default", RootURL: "/", NoOrders: true}))
	s.fails(remote.LoginSecurityViolation, op, "checkoutType", "")
	s.fails(remote.LoginSecurityViolation, remote.GetFlipbookOrdersByType, "paperId", "3", "checkoutType", "")
}

// TestOrdersOfShortMonths checks that three calendar months before the end of May is the end
// of February.
func TestOrdersOfShortMonths(t *testing.T) {
	t.Parallel()
	s := imported(t, func(o *service.Options) {
		o.Now = func() time.Time { return time.Date(2031, 5, 31, 0, 0, 0, 0, time.UTC) }
	})
	_, err := s.importText(`<import><paper id="3"><orders><order orderId="feb28" orderDate="2031-02-28" checkoutType="CheckoutBySms" />` +
		`<order orderId="feb27" orderDate="2031-02-27 23:59:59" checkoutType="CheckoutBySms" /></orders></paper></import>`)
	require.NoError(t, err)
	r := s.must(remote.GetFlipbookOrdersByType, "paperId", "3", "checkoutType", "CheckoutBySms")
	require.Contains(t, r.data, `<orders count="1"`)
	require.Contains(t, r.data, `feb28`)
}

// TestOrdersOfAnAddressAreASetting checks that more orders are taken from one address, of a company
// say, where the operator allows it.
func TestOrdersOfAnAddressAreASetting(t *testing.T) {
	t.Parallel()
	s := openShop(t, func(o *service.Options) { o.AddressOrders = 42 })
	send := func() reply { return s.post(order("CheckoutByPrint", uuid.NewString(), "GL-1", "9", "1")) }
	for n := range 42 / 6 {
		require.Equal(t, 200, send().status, "order %d of a minute", n)
	}
	require.Equal(t, 429, send().status, "the sixth part of a day's orders was taken")
}
