package answer

import (
	"bytes"
	"encoding/xml"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/remote/xmlscan"
)

// padded matches texts from which clients trim white space: one CDATA section surrounded by white
// space (contract, 2.2).
var padded = regexp.MustCompile(`^\s*<!\[CDATA\[((?s).*)\]\]>\s*$`)

// leaf reads an element's text by the rules for clients.
func leaf(t require.TestingT, inner string, scalar bool) string {
	if m := padded.FindStringSubmatch(inner); m != nil && !strings.Contains(m[1], "]]>") {
		inner = strings.TrimSpace(inner)
	}
	var v struct {
		Text string `xml:",chardata"`
	}
	require.NoError(t, xml.Unmarshal([]byte("<v>"+inner+"</v>"), &v))
	if scalar {
		return strings.TrimSpace(v.Text)
	}
	return v.Text
}

// TestTextSurvives checks that text that XML can represent arrives unchanged, in every style.
func TestTextSurvives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.SampledFrom([]string{"]]>", "]]", "<![CDATA[", "&amp;", "&", "<", ">", `"`, "'", "\r\n", "\r", "\n", "\t", " ", "é", "\U0001F600", "\u0085", "\u2028", "x"})
		text := strings.Join(rapid.SliceOfN(part, 0, 8).Draw(t, "text"), "")
		style := rapid.SampledFrom([]CDATAStyle{Tight, Padded, None}).Draw(t, "style")
		var b bytes.Buffer
		x := NewWriter(&b, style)
		x.Open("r", String("attr", text))
		x.Text("text", text)
		x.Scalar("scalar", strings.TrimSpace(text))
		x.Plain("plain", text)
		x.Close("r")
		require.NoError(t, x.Flush())
		var doc struct {
			Attr string `xml:"attr,attr"`
			Text struct {
				Inner string `xml:",innerxml"`
			} `xml:"text"`
			Scalar struct {
				Inner string `xml:",innerxml"`
			} `xml:"scalar"`
			Plain string `xml:"plain"`
		}
		require.NoError(t, xml.Unmarshal(b.Bytes(), &doc), b.String())
		require.Equal(t, text, doc.Attr)
		require.Equal(t, text, leaf(t, doc.Text.Inner, false), b.String())
		require.Equal(t, strings.TrimSpace(text), leaf(t, doc.Scalar.Inner, true), b.String())
		require.Equal(t, text, doc.Plain)
	})
}

// TestTextIsAlwaysCarried checks that characters that should not be in the store do not break
// the document.
func TestTextIsAlwaysCarried(t *testing.T) {
	for _, s := range []string{"a\x00b", "\xff\xfe", "\uffff", "\xed\xa0\x80", "good"} {
		require.True(t, xmlscan.Carries(Carried(s)), "%q", s)
	}
	require.Equal(t, "good", Carried("good"))
}

func TestStyles(t *testing.T) {
	for style, want := range map[CDATAStyle]string{
		Tight:  "\n<code><![CDATA[A]]></code>\n<name><![CDATA[ B ]]></name>",
		Padded: "\n<code>\n<![CDATA[ A ]]>\n</code>\n<name>\n<![CDATA[ B ]]>\n</name>",
		None:   "\n<code>A</code>\n<name> B </name>",
	} {
		var b bytes.Buffer
		x := NewWriter(&b, style)
		x.Scalar("code", "A")
		x.Text("name", " B ")
		require.NoError(t, x.Flush())
		require.Equal(t, want, b.String())
	}
}
