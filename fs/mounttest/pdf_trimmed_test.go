package mounttest

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestAppendingToATruncatedPDF checks that the writer begins with the truncated content of a queued
// or sent PDF.
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
			for range times(3, 50) {
				m.sh(`cd papers/C; cp "$HOME/two.pdf" W.pdf; ` + wait + `
					truncate -s 100 W.pdf
					cat "$HOME/one.pdf" >> W.pdf
					cmp "$HOME/both" W.pdf`)
			}
			m.proxy.Heal()
			m.sh(`set -e; "$PAPERFS" wait .; test -z "$(ls .paperfs/failed)"; cmp "$HOME/both" papers/C/W.pdf`)
		})
	}
}

// TestTruncatingAPDFSeveralTimes checks that a later writer begins with the result of all
// truncations, with zeros where the file was shorter in between. They go by path, by separate
// descriptors, and while others have it open.
func TestTruncatingAPDFSeveralTimes(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	for name, ways := range map[string]string{
		"by path":                     `truncate -s 100 X.pdf; truncate -s 40 X.pdf; truncate -s 200 X.pdf`,
		"by descriptors":              `for n in 100 40 200; do python3 -c 'import os; f = os.open("X.pdf", os.O_RDWR); os.ftruncate(f, '$n'); os.close(f)'; done`,
		"by one descriptor":           `python3 -c 'import os; f = os.open("X.pdf", os.O_RDWR); [os.ftruncate(f, n) for n in (100, 40, 200)]'`,
		"while a program has it open": `exec 5>> X.pdf; truncate -s 100 X.pdf; truncate -s 40 X.pdf; truncate -s 200 X.pdf; exec 5>&-`,
		"while a child has it open":   `{ cat "$HOME/two.pdf"; truncate -s 40 X.pdf; truncate -s 200 X.pdf; } > X.pdf`,
		"to zero, then longer":        `truncate -s 0 X.pdf; truncate -s 200 X.pdf`,
	} {
		t.Run(name, func(t *testing.T) {
			if name == "by path" || name == "by one descriptor" {
				testrun.Long(t, "truncates in another way")
			}
			t.Parallel()
			m := newMount(t)
			m.takePDFs()
			m.drops(t)
			kept := "40"
			if strings.HasPrefix(name, "to zero") {
				kept = "0"
			}
			m.sh(`cd papers/C; cp "$HOME/two.pdf" X.pdf; ` + ways)
			m.sh(`cd papers/C; { head -c ` + kept + ` "$HOME/two.pdf"; head -c $((200 - ` + kept + `)) /dev/zero; cat "$HOME/one.pdf"; } > "$HOME/want"
				case "` + name + `" in "while a child"*) ;; *) cmp "$HOME/two.pdf" X.pdf;; esac # truncation alone shows nothing
				cat "$HOME/one.pdf" >> X.pdf; cmp "$HOME/want" X.pdf`)
		})
	}
}

// TestTruncatingAPDFThatWasJustSent checks that a truncation sends nothing more while the mount
// records that the PDF was sent.
func TestTruncatingAPDFThatWasJustSent(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--write-back")
	m.drops(t)
	logs, err := filepath.Glob(filepath.Join(m.home, "state", "paperfs", "*", "state.db-wal"))
	require.NoError(t, err)
	require.Len(t, logs, 1)
	m.sh(`mkdir papers/C/W.paper`)
	m.strace(func() {
		m.sh(`cp "$HOME/two.pdf" papers/C/W.pdf`)
		for range times(4, 40) {
			m.sh(`cd papers/C; truncate -s 100 W.pdf; cmp "$HOME/two.pdf" W.pdf`)
		}
	}, "-P", logs[0], "-e", "trace=pwrite64", "-e", "inject=pwrite64:delay_enter=100000")
	m.sh(`set -e; "$PAPERFS" wait .; "$PAPERFS" wait papers/C/W.paper; test -e papers/C/W.paper/pages/002; test -z "$(ls .paperfs/failed)"; cmp "$HOME/two.pdf" papers/C/W.pdf`)
}
