package pdf

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAddressesAreThoseOfOtherReaders(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"https://example.org/caf\xe9":                                     "https://example.org/café",
		"https://example.org/法/café":                                      "https://example.org/法/café",
		"\xfe\xff\x00h\x00t\x00t\x00p\x00:\x00/\x00/\x00a\x00.\x00b\x00c": "http://a.bc",
		"\xff\xfeh\x00t\x00t\x00p\x00:\x00/\x00/\x00a\x00.\x00b\x00c\x00": "http://a.bc",
		" https://example.org/lead ":                                      "https://example.org/lead",
		"https://example.org/a b":                                         "https://example.org/a%20b",
		"HTTP://EXAMPLE.ORG/UP":                                           "HTTP://EXAMPLE.ORG/UP",
		"//example.org/rel":                                               "http://example.org/rel",
		"http:/example.org/one":                                           "http://example.org/one",
		`https:\\example.org\back`:                                        "https://example.org/back",
		"mailto:a@example.org?subject=Hi%20there":                         "mailto:a@example.org?subject=Hi%20there",
		"tel:+45 12 34":                                                   "tel:+45%2012%2034",
		"www.example.com":                                                 "http://www.example.com",
		"www.example.com/shop":                                            "http://www.example.com/shop",
		"example.com/page":                                                "http://example.com/page",
		"example.com:8080/page":                                           "http://example.com:8080/page",
		"bücher.example?x=1":                                              "http://bücher.example?x=1",
		"info@example.com":                                                "mailto:info@example.com",
		"info@example.com?subject=x":                                      "mailto:info@example.com?subject=x",
		"https://example.org/nl\nx":                                       "https://example.org/nlx",
		"ipaper://Shop/12":                                                "ipaper://Shop/12",
		"javascript:alert(1)":                                             "javascript:alert(1)", // not a link: rules.Link
		"#page=2":                                                         "",
		"../other.pdf":                                                    "",
		"other.pdf":                                                       "",
		"folder/index.html":                                               "",
		"Page":                                                            "",
		"":                                                                "",
	} {
		require.Equal(t, want, cleanURI(written), "%q", written)
	}
}
