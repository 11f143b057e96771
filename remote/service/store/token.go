package store

import "time"

// Token lets a viewer open one paper in spite of its protection.
type Token struct {
	Token   string
	Node    int64
	Expires time.Time
	IP      string // canonical; "" = any address
}

// TokenReader finds preview tokens.
type TokenReader interface {
	Token(token string) (Token, error) // ErrNotFound for an expired token is possible
}

// TokenWriter changes preview tokens.
type TokenWriter interface {
	// AddToken also deletes the tokens that expired before now.
	AddToken(t Token, now time.Time) error
}
