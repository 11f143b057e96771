package media_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUnfinishedNamesStayHere checks the ways in which browsers and other programs create a file:
// each costs one upload, of the finished file under its final name.
func TestUnfinishedNamesStayHere(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"Firefox, which holds the name first": `: > a.pdf; echo one > a.pdf.part; echo two >> a.pdf.part; mv a.pdf.part a.pdf`,
		"Chromium":                            `echo one > "Unconfirmed 73.crdownload"; echo two >> "Unconfirmed 73.crdownload"; mv "Unconfirmed 73.crdownload" a.pdf`,
		"Safari, in a directory":              `mkdir a.pdf.download; (echo one; echo two) > a.pdf.download/a.pdf; mv a.pdf.download/a.pdf a.pdf; rmdir a.pdf.download`,
		"Python's tempfile": `python3 -c '
import os, tempfile
f = tempfile.NamedTemporaryFile("w", dir=".", delete=False)
f.write("one\ntwo\n"); f.close(); os.replace(f.name, "a.pdf")'`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMount(t)
			asked := m.cost(`ls; ` + script)
			require.Subset(t, ops("GetTree", upload), asked, "the program causes no other operation")
			if !strings.HasPrefix(script, ":") { // a name reserved for long is first uploaded as an empty file
				require.Len(t, slices.DeleteFunc(asked, func(op string) bool { return op != upload }), 1)
			}
			require.Equal(t, map[string]string{"a.pdf": sum("one\ntwo\n")}, m.atService())
		})
	}
}

// TestAProgramThatGivesUp checks that a program that gives up by itself publishes its partial file,
// because nothing distinguishes that file from a complete one. Under a name that stays on this
// machine, it publishes nothing.
func TestAProgramThatGivesUp(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`printf old > x; printf old > y`)
	gives := `python3 -c 'import sys; sys.stdout.write("part"); sys.stdout.flush(); sys.exit(28)'`
	m.sh(`! ` + gives + ` > x; ! { ` + gives + ` > y.part && mv y.part y; }; { sh -c "printf part; kill -KILL \$\$"; } | cat > z`)
	require.Equal(t, map[string]string{"x": sum("part"), "y": sum("old"), "z": sum("part")}, m.atService())
	m.sh(`printf whole > y.part && mv y.part y`)
	require.Equal(t, sum("whole"), m.atService()["y"])
}
