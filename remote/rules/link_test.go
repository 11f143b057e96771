package rules

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLink(t *testing.T) {
	for _, address := range []string{"https://example.org/a:b", "HTTP://x", "mailto:a@b.example", "tel:+49-30-1", "/catalogues/spring/?a=b:c", "#p3", "", "page.html", "//host/x"} {
		_, ok := Link(address)
		require.True(t, ok, address)
	}
	for _, address := range []string{"javascript:alert(1)", "JavaScript :alert(1)", "java\tscript:alert(1)", "\x01javascript:alert(1)", "data:text/html,x", "file:///etc/passwd",
		"vbscript:x", "ftp://x", "blob:x", "intent:x", " javascript:x", "ms-msdt:/id", "javascript\n:x"} {
		_, ok := Link(address)
		require.False(t, ok, address)
	}
}
