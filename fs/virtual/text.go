package virtual

import (
	"context"
	"time"
)

// Text returns a read-only file whose content render makes at each open.
func Text(env *Env, since func() time.Time, render func() []byte) *Document {
	return &Document{
		Env: env, About: About{Time: since},
		Load:  func(context.Context) ([]byte, error) { return render(), nil },
		Known: func() (int, bool) { return len(render()), true },
	}
}
