package webhook

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
	"time"
)

// secretPrefix begins each secret; base64 of the key follows.
const secretPrefix = "whsec_"

// NewSecret returns a random secret.
func NewSecret() string {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	return secretPrefix + base64.StdEncoding.EncodeToString(key)
}

// Sign returns the header webhook-signature.
func Sign(secret, id string, at time.Time, body []byte) (string, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, secretPrefix))
	if err != nil {
		return "", fmt.Errorf("the secret of the webhook is damaged: %w", err)
	}
	sum := hmac.New(sha256.New, key)
	fmt.Fprintf(sum, "%s.%d.%s", id, at.Unix(), body)
	return "v1," + base64.StdEncoding.EncodeToString(sum.Sum(nil)), nil
}
