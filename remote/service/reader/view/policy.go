package view

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// Policy returns the Content-Security-Policy of a page. It allows only this host, the origin export as a target
// of forms ("" for none), and the style of a frame (Frame.Style; "" for none). It does not restrict
// frame-ancestors: shops may embed a page in a frame.
func Policy(export, style string) string {
	named := strings.Replace(policy, "form-action 'self'", strings.TrimSpace("form-action 'self' "+export), 1)
	if style == "" {
		return named
	}
	sum := sha256.Sum256([]byte(style))
	return strings.Replace(named, "style-src 'self'", "style-src 'self' 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'", 1)
}

const policy = "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'"
