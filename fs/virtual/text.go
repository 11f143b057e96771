package virtual

import (
	"context"
	"time"
)

// Text is a read-only file whose content is made here, at each open.
func Text(env *Env, since func() time.Time, render func() []byte) *Document {
	return &Document{
		Env: env, About: About{Time: since},
		Load:  func(context.Context) ([]byte, error) { return render(), nil },
		Known: func() (int, bool) { return len(render()), true },
	}
}
