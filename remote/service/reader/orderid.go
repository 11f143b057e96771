package reader

import (
	"crypto/rand"
	"strings"
)

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// orderID returns six random letters and digits.
func orderID() string {
	var b strings.Builder
	random := make([]byte, 1)
	for b.Len() < 6 {
		_, _ = rand.Read(random) // never fails
		if at := int(random[0]); at < 4*len(letters) {
			b.WriteByte(letters[at%len(letters)])
		}
	}
	return b.String()
}
