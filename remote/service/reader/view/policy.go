package view

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// Policy is what the Content-Security-Policy of a page allows besides this host. It does not restrict frame-ancestors: shops
// may embed a page in a frame.
type Policy struct {
	Export string   // origin that forms may be sent to; or ""
	Style  string   // of a frame (Frame.Style); or ""
	Media  []string // hosts whose pictures, films and sounds may be shown
}

// String returns the policy as the header has it.
func (p Policy) String() string {
	style, media := "", ""
	if p.Style != "" {
		sum := sha256.Sum256([]byte(p.Style))
		style = " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	for _, host := range p.Media {
		media += " https://" + host
	}
	return "default-src 'none'; img-src 'self'" + media + "; media-src 'self'" + media + "; style-src 'self'" + style +
		"; script-src 'self'; connect-src 'self'; form-action " + strings.TrimSpace("'self' "+p.Export) + "; base-uri 'none'"
}
