package mounttest

import (
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// TestAPDFBecomesAShop copies a tagged PDF and a table, writes settings, and finds a reader's order
// in orders/ within a minute.
func TestAPDFBecomesAShop(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--document-ttl", "1s", "--pdf-options", "<options><import-links>true</import-links><import-links-styleid>1</import-links-styleid><custom-link-import-name>spring</custom-link-import-name></options>")
	m.put("catalogue.pdf", pdftest.Document([]pdftest.Sheet{{Text: "Rakes\nGL-1 gloves", Links: []pdftest.Link{{Left: 100, Bottom: 100, Right: 300, Top: 200, URI: "ipaper://Shop/RK-7"}}}}))
	m.put("products.csv", []byte("Id;Name;Price\nRK-7;Rake;29,25\nGL-1;Gloves;9\n"))
	m.sh(`mkdir media/enrichment; cp "$HOME/products.csv" media/enrichment/spring.csv
		cp "$HOME/catalogue.pdf" papers/Spring.pdf; "$PAPERFS" wait papers/Spring.paper
		cd papers/Spring.paper/settings; echo CheckoutByEmail > checkout; echo shop@example.org > shopEmail`)
	for setting, value := range map[string]string{"checkout": "CheckoutByMagic", "shopEmail": "nobody", "shopExportUrl": "http://shop.example/", "shopPhone": "x", "currency": "1", "maxZoom": "9"} {
		require.Contains(t, m.fails(`echo '`+value+`' > papers/Spring.paper/settings/`+setting), "Invalid argument", setting)
	}
	require.Equal(t, "false", m.sh(`cat papers/Spring.paper/settings/iconPdf`))
	require.NotContains(t, m.sh(`cat papers/Spring.paper/orders/CheckoutByEmail.xml`), "<order ")
	form := url.Values{"checkoutType": {"CheckoutByEmail"}, "key": {uuid.NewString()}, "productId": {"RK-7", "GL-1"}, "price": {"29.25", "9"}, "amount": {"2", "1"}}
	address := strings.TrimSpace(m.sh(`cat papers/Spring.paper/address`))
	request := testrun.Must(http.NewRequestWithContext(t.Context(), http.MethodPost, address+"Order.ashx", strings.NewReader(form.Encode())))(t)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	reply := testrun.Must(http.DefaultClient.Do(request))(t)
	reply.Body.Close()
	require.Equal(t, http.StatusOK, reply.StatusCode)
	m.eventually(`grep -q RK-7 papers/Spring.paper/orders/CheckoutByEmail.xml`)
	require.Contains(t, m.sh(`cat papers/Spring.paper/orders/CheckoutByEmail.xml`), `totalOrderValue="67,5"`)
}

// TestStatisticsOfAMonth checks that the month's file has the readers' views, and others the views by page and the clicks; that it costs two
// requests, and that a missing month, or a program that walks or copies the tree, costs none. The
// file cannot be written.
func TestStatisticsOfAMonth(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "rsync")
	m := newMount(t, "--document-ttl", "1h", "--pdf-options", "<options><import-links>true</import-links><import-links-styleid>1</import-links-styleid></options>")
	m.put("spring.pdf", pdftest.Document([]pdftest.Sheet{{Text: "One", URI: "https://example.org/"}, {Text: "Two"}}))
	m.sh(`cp "$HOME/spring.pdf" papers/Spring.pdf; "$PAPERFS" wait papers/Spring.paper`)
	address := strings.TrimSpace(m.sh(`cat papers/Spring.paper/address`))
	form := url.Values{"pages": {"1,2,2"}, "new": {"true"}, "link": {"1 https://example.org/", "1 https://example.org/"}}
	request := testrun.Must(http.NewRequestWithContext(t.Context(), http.MethodPost, address+"Hit.ashx", strings.NewReader(form.Encode())))(t)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	reply := testrun.Must(http.DefaultClient.Do(request))(t)
	reply.Body.Close()
	require.Equal(t, http.StatusNoContent, reply.StatusCode)

	month := m.sh(`date -u +%Y-%m`)
	file := `papers/Spring.paper/statistics/` + month + `.csv`
	day := m.sh(`date -u +%F`)
	client, paper := m.client(), number(m.sh(`cat papers/Spring.paper/id`))
	until(t, "the service has written the views", func() bool { // it collects them for seconds
		views, err := client.GetNumberOfPageviewsPerDay(t.Context(), paper, time.Now().AddDate(0, 0, -1), time.Now())
		return err == nil && slices.ContainsFunc(views, func(d remote.DayCount) bool { return d.Count == 3 })
	})
	assert.True(t, strings.HasPrefix(m.sh(`cat `+file), "date,pageviews,visitors\n"+month+"-01,"))
	assert.Contains(t, m.sh(`cat `+file), day+",3,1")
	m.sh(`"$PAPERFS" refresh papers/Spring.paper; ls papers/Spring.paper > /dev/null`)
	assert.Empty(t, m.cost(`stat `+file))
	assert.Equal(t, []string{"GetNumberOfPageviewsPerDay", "GetNumberOfVisitorsPerDay"}, m.cost(`cat `+file))
	assert.Empty(t, m.cost(`cat `+file+`; cp `+file+` "$HOME/copy.csv"`))
	assert.Equal(t, m.sh(`cat `+file), m.sh(`cat "$HOME/copy.csv"`))

	byPage := strings.Replace(file, ".csv", "-pages.csv", 1)
	assert.Equal(t, []string{"GetNumberOfPageviewsPerPage"}, m.cost(`cat `+byPage))
	assert.Empty(t, m.cost(`cat `+byPage))
	assert.Equal(t, "page,pageviews\n1,1\n2,2", m.sh(`cat `+byPage))
	byLink := strings.Replace(file, ".csv", "-links.csv", 1)
	assert.Equal(t, []string{"GetNumberOfPageviewsPerPage"}, m.cost(`cat `+byLink))
	assert.Equal(t, "page,link,clicks\n1,https://example.org/,2", m.sh(`cat `+byLink))
	page := `papers/Spring.paper/statistics/address`
	assert.Equal(t, []string{"GetNumberOfPageviewsPerPage"}, m.cost(`cat `+page))
	assert.Equal(t, "400", m.sh(`stat -c %a `+page))
	shown, err := http.Get(m.sh(`cat ` + page)) // the address as it is told, past the proxy that counts
	require.NoError(t, err)
	text := testrun.Must(io.ReadAll(shown.Body))(t)
	shown.Body.Close()
	assert.Equal(t, http.StatusOK, shown.StatusCode)
	assert.Contains(t, string(text), "<dd>3</dd>")

	for _, name := range []string{"2999-01-pages.csv", "2999-01-links.csv", "links.csv", "pages.csv", "-pages.csv", "2999-01.csv", "1999-12.csv", "2026-13.csv", "2026-1.csv", "2026-11", "all.csv"} {
		m.proxy.Reset()
		assert.Contains(t, m.fails(`cat papers/Spring.paper/statistics/`+name), "No such file", name)
		assert.Empty(t, m.asked(), name)
	}
	counts := func(asked []string) bool {
		return strings.Contains(strings.Join(asked, " "), "GetNumberOf")
	}
	assert.Empty(t, m.sh(`ls -A papers/Spring.paper/statistics`))
	assert.False(t, counts(m.cost(`find papers -type f > /dev/null; rsync -a papers/ "$HOME/there/"; tar cf "$HOME/there.tar" papers; grep -r pageviews papers || true`)))
	assert.Contains(t, m.fails(`echo x > `+file), "ermission")
	assert.Contains(t, m.fails(`echo x > papers/Spring.paper/statistics/x.csv`), "not permitted")
	assert.Contains(t, m.sh(`"$PAPERFS" why papers/Spring.paper/statistics/x.csv`), "statistics")
	assert.Contains(t, m.fails(`mkdir papers/Spring.paper/statistics/x`), "not permitted")
	assert.Contains(t, m.fails(`rm `+file), "not permitted")
}

// TestStatisticsThatAreNotOffered checks that the file fails when it is read if the service offers
// no statistics.
func TestStatisticsThatAreNotOffered(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--only-twenty")
	m.sh(`mkdir papers/Spring.paper`)
	for _, name := range []string{`$(date -u +%Y-%m).csv`, `$(date -u +%Y-%m)-pages.csv`, "address"} {
		assert.Contains(t, m.fails(`cat papers/Spring.paper/statistics/`+name), "not supported")
	}
}
