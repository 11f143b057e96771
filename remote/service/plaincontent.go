package service

import "context"

// plainKey marks the context of a request that holds its content as it is.
type plainKey struct{}

// PlainContent marks a request that came over no wire: the value of its bulk field, which
// is the last one, is the content itself, neither base64 nor escaped.
func PlainContent(ctx context.Context) context.Context {
	return context.WithValue(ctx, plainKey{}, true)
}

func isPlain(ctx context.Context) bool { return ctx.Value(plainKey{}) != nil }
