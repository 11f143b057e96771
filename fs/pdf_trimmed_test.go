package fs_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// TestAppendingToATruncatedPDF that is queued, or was sent: whoever writes begins with what the
// truncation left.
func TestAppendingToATruncatedPDF(t *testing.T) {
	t.Parallel()
	for _, state := range []string{"queued", "sent", "any"} {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			m := newMount(t, "--write-back")
			m.drops(t)
			m.sh(`{ head -c 100 "$HOME/two.pdf"; cat "$HOME/one.pdf"; } > "$HOME/both"`)
			wait := ""
			switch state {
			case "queued":
				m.proxy.Freeze(remote.ProcessPDF)
			case "sent":
				wait = `"$PAPERFS" wait ../..;`
			}
			m.sh(`cd papers/C; for i in $(seq 50); do
				cp "$HOME/two.pdf" W.pdf || exit 1; ` + wait + `
				truncate -s 100 W.pdf || exit 1
				cat "$HOME/one.pdf" >> W.pdf || exit 1
				cmp "$HOME/both" W.pdf || { echo $i; exit 1; }
			done`)
			m.proxy.Heal()
			m.sh(`set -e; "$PAPERFS" wait .; test -z "$(ls .paperfs/failed)"; cmp "$HOME/both" papers/C/W.pdf`)
		})
	}
}

// TestTruncatingAPDFThatWasJustSent sends nothing more, while it is being noted that it was sent.
func TestTruncatingAPDFThatWasJustSent(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--write-back")
	m.drops(t)
	logs, err := filepath.Glob(filepath.Join(m.home, "state", "paperfs", "*", "state.db-wal"))
	require.NoError(t, err)
	require.Len(t, logs, 1)
	m.sh(`mkdir papers/C/W.paper`)
	m.strace(func() {
		m.sh(`cd papers/C; cp "$HOME/two.pdf" W.pdf; for i in $(seq 40); do
			truncate -s 100 W.pdf || exit 1
			cmp "$HOME/two.pdf" W.pdf || { echo $i; exit 1; }
		done`)
	}, "-P", logs[0], "-e", "trace=pwrite64", "-e", "inject=pwrite64:delay_enter=100000")
	m.sh(`set -e; "$PAPERFS" wait .; "$PAPERFS" wait papers/C/W.paper; test -e papers/C/W.paper/pages/002; test -z "$(ls .paperfs/failed)"; cmp "$HOME/two.pdf" papers/C/W.pdf`)
}
