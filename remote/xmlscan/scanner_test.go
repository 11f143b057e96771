package xmlscan

import (
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestCaptureAcrossBuffers checks that a capture returns the source text, however small the
// buffer is.
func TestCaptureAcrossBuffers(t *testing.T) {
	const before, element, after = "<?xml version='1.0'?>\r\n<r>text &amp; <b/>",
		"<data a='&lt;'>\r\n <x y=\"1\">ö<![CDATA[ ]]&gt; ]]></x><!-- c --> &#65;<z/></data>", "tail</r>"
	for size := 1; size < len(element)+20; size++ {
		for _, half := range []bool{false, true} {
			r := strings.NewReader(before + element + after)
			s := &Scanner{r: r, buf: make([]byte, 0, size)}
			if half {
				s.r = iotest.HalfReader(r)
			}
			for !(s.Is("data") && s.Depth() == 2) {
				testrun.Must(s.Next())(t)
			}
			s.Capture()
			var children []string
			from := 0
			require.NoError(t, s.EachChild(func() error {
				from = s.CaptureOffset()
				err := s.Skip()
				children = append(children, string(append(append([]byte(nil), s.captured...), s.buf[s.captureAt:s.pos]...)[from:]))
				require.Equal(t, from+len(children[len(children)-1]), s.CapturePosition())
				return err
			}))
			require.Equal(t, element, string(s.CaptureEnd()))
			require.Equal(t, []string{`<x y="1">ö<![CDATA[ ]]&gt; ]]></x>`, "<z/>"}, children)
			require.Equal(t, Text, testrun.Must(s.Next())(t))
		}
	}
}
