package remote

import (
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// What is captured is the source text, however small the buffer is that it
// passes through.
func TestCaptureAcrossBuffers(t *testing.T) {
	const before, element, after = "<?xml version='1.0'?>\r\n<r>text &amp; <b/>",
		"<data a='&lt;'>\r\n <x y=\"1\">ö<![CDATA[ ]]&gt; ]]></x><!-- c --> &#65;<z/></data>", "tail</r>"
	for size := 1; size < len(element)+20; size++ {
		for _, half := range []bool{false, true} {
			r := strings.NewReader(before + element + after)
			s := &scanner{r: r, buf: make([]byte, 0, size)}
			if half {
				s.r = iotest.HalfReader(r)
			}
			for !(s.is("data") && s.depth() == 2) {
				_, err := s.next()
				require.NoError(t, err)
			}
			s.capture()
			var children []string
			from := 0
			require.NoError(t, s.eachChild(func() error {
				from = s.captureOffset()
				err := s.skip()
				children = append(children, string(append(append([]byte(nil), s.captured...), s.buf[s.captureAt:s.pos]...)[from:]))
				require.Equal(t, from+len(children[len(children)-1]), s.capturePosition())
				return err
			}))
			require.Equal(t, element, string(s.captureEnd()))
			require.Equal(t, []string{`<x y="1">ö<![CDATA[ ]]&gt; ]]></x>`, "<z/>"}, children)
			tok, err := s.next()
			require.NoError(t, err)
			require.Equal(t, tokenText, tok)
		}
	}
}
