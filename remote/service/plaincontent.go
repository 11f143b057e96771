package service

import "context"

// plainKey marks the context of a request whose content is not encoded.
type plainKey struct{}

// PlainContent marks a request from the same process. The value of its bulk field, which
// is its last field, is the content itself, neither base64 nor percent-encoded.
func PlainContent(ctx context.Context) context.Context {
	return context.WithValue(ctx, plainKey{}, true)
}

func isPlain(ctx context.Context) bool { return ctx.Value(plainKey{}) != nil }
