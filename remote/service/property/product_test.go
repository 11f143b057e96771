package property_test

import (
	"bytes"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/property"
	"paperfs/remote/testrun"
	"paperfs/remote/xmlscan"
)

// TestTables reads tables with commas or semicolons, columns in any order, quoted or not.
func TestTables(t *testing.T) {
	rake := property.Product{ID: "RK-7", Name: "Rake", Price: "29.25", Description: "Steel; 40 cm, \"new\"", URL: "https://shop.example/rk7", HoverText: "The rake", Target: "_self"}
	for name, text := range map[string]string{
		"commas":     "Id,Name,Description,Price,Url,HoverText,HrefTarget\nRK-7,Rake,\"Steel; 40 cm, \"\"new\"\"\",29.250,https://shop.example/rk7,The rake,_self\n",
		"semicolons": "\ufeffprice;ID;name;Weight;description;url;hovertext;hreftarget\r\n29,25;RK-7;Rake;3;\"Steel; 40 cm, \"\"new\"\"\";https://shop.example/rk7;The rake;_self\r\n;;;\r\n",
	} {
		table, err := property.ParseProducts([]byte(text))
		require.NoError(t, err, name)
		require.Equal(t, property.ProductTable{"RK-7": rake}, table, name)
	}
	table := testrun.Must(property.ParseProducts([]byte("Id;Price\na;12\na;13\nb;1.234,50\nc;-3\nd;\n;5")))(t)
	require.Equal(t, property.ProductTable{"a": {ID: "a", Price: "12"}, "b": {ID: "b", BadPrice: "1.234,50"}, "c": {ID: "c", BadPrice: "-3"}, "d": {ID: "d"}}, table)
}

func TestTablesThatCannotBeRead(t *testing.T) {
	for text, words := range map[string]string{
		"":                 "no column Id",
		"Name,Price\nx,1":  "no column Id",
		"Id\nM\xfcll":      "not in UTF-8",
		"Id,Name\na,\"b\n": "line 2: extraneous or missing",
		"Id,Name\na,b\nc," + strings.Repeat("x", property.FieldBytes+1):      "line 3: Name is longer than 1024 bytes",
		"Id" + strings.Repeat(",", property.MostColumns):                     "no column Id",
		"Id\n\"\n\"" + strings.Repeat(",", property.MostColumns):             "more than 1000 columns",
		"Id\n" + strings.Repeat("x\n", property.MostRows) + "one too many\n": "more than 100000 rows",
	} {
		_, err := property.ParseProducts([]byte(text))
		require.ErrorContains(t, err, words)
	}
}

// TestAWideTable checks that a wide table takes only a few times the memory of its text, not 40 times.
func TestAWideTable(t *testing.T) {
	text := append([]byte("Id\n"), bytes.Repeat([]byte(","), 16<<20)...)
	for _, text := range [][]byte{text, text[3:]} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := property.ParseProducts(text)
		require.Error(t, err)
		runtime.ReadMemStats(&after)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, 10*uint64(len(text)))
	}
}

func TestTags(t *testing.T) {
	for address, want := range map[string]property.ProductTag{
		"ipaper://Shop/RK-7":            {Kind: property.Shop, ID: "RK-7"},
		"IPAPER://shop/a%2Fb%20c/Frame": {Kind: property.Shop, ID: "a/b c"},
		"ipaper://ExternalLink/x/":      {Kind: property.ExternalLink, ID: "x"},
		"ipaper://pagelink/12":          {Kind: property.PageLink, ID: "12"},
		"ipaper://Video/7":              {Kind: "Video", ID: "7"},
		"ipaper://Shop":                 {Kind: property.Shop},
		"ipaper://Shop/100%":            {Kind: property.Shop, ID: "100%"},
	} {
		tag, ok := property.ParseProductTag(address)
		require.True(t, ok, address)
		require.Equal(t, want, tag, address)
	}
	for _, address := range []string{"", "ipaper:", "https://ipaper.io/Shop/1", "mailto:x"} {
		_, ok := property.ParseProductTag(address)
		require.False(t, ok, address)
	}
}

func TestMediaHaveHosts(t *testing.T) {
	for address, want := range map[string][2]string{
		"https://CDN.example/a.PNG?v=1": {"image", "cdn.example"}, "http://cdn.example/a.png": {"image", ""}, "https://u:p@cdn.example/a.png": {"image", ""},
		"https://Bücher.example:8443/a.png": {"image", "xn--bcher-kva.example:8443"},
		"drill:2.mp4":                       {"video", ""}, "javascript://cdn.example/a.png": {"image", ""}, "https://cdn.example/?f=a.png": {"", "cdn.example"},
	} {
		kind, host := property.MediumAt(address)
		require.Equal(t, want, [2]string{kind, host}, address)
	}
}

func TestFragments(t *testing.T) {
	p := property.Product{ID: "a&b", Name: "<Rake>", Price: "29.25", Description: "]]>"}
	require.Equal(t, p, property.ParseProductFragment(property.ProductFragment(p)))
	require.Equal(t, property.Product{ID: "x", Price: "3.5"}, property.ParseProductFragment("<product><id> x </id><price>3,50</price></product>"))
	require.Equal(t, property.Product{BadPrice: "from 3"}, property.ParseProductFragment("<item><price>from 3</price></item>"))
	require.Zero(t, property.ParseProductFragment("<item><id>x"))
	require.Equal(t, property.Product{Name: "Rake", Price: "3"}, property.ParseProductFragment("<item><name>Rake</name><price>3</price><descr>Steel&nbsp;and ash</descr><id>x</id></item>"))
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("Id,Name,Price\nRK-7,Rake,29.25\n"))
	f.Add([]byte("\ufeffId;Name;Price\r\n\"a;b\";\"c\"\"\";1,5\r\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		table, err := property.ParseProducts(text)
		if err != nil {
			return
		}
		for id, p := range table {
			again := property.ParseProductFragment(property.ProductFragment(p))
			if id == "" || p.ID != id || again.Price != p.Price {
				t.Fatalf("%q: %+v, %+v", id, p, again)
			}
			for _, text := range []string{p.ID, p.Name, p.Description, p.Price, p.BadPrice, p.URL, p.HoverText, p.Target} {
				if len(text) > property.FieldBytes || !xmlscan.Carries(text) {
					t.Fatalf("%q", text)
				}
			}
		}
	})
}

func FuzzParseTag(f *testing.F) {
	f.Add("ipaper://Shop/RK-7/Frame")
	f.Fuzz(func(t *testing.T, address string) {
		tag, ok := property.ParseProductTag(address)
		if ok && (!xmlscan.Carries(tag.ID) || !xmlscan.Carries(string(tag.Kind))) {
			t.Fatalf("%q", tag)
		}
	})
}

func FuzzParseFragment(f *testing.F) {
	f.Add("<item><name>Rake</name><price>29.25</price><descr></descr><id>RK-7</id></item>")
	f.Fuzz(func(t *testing.T, text string) { property.ParseProductFragment(text) })
}
