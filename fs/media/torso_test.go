package media_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// torso is a program that, for each file a0, a1, ..., has a child that truncates the file, writes
// "half" and is killed, and then uses the file at once. The kernel may not have released it yet.
// The numbers of files and kinds of use are its arguments.
const torso = `python3 -c '
import os, signal, sys
def append(f):
    with open(f, "ab", 0) as o: o.write(b"more")
def update(f):
    with open(f, "r+b", 0) as o: o.seek(0, 2); o.write(b"more")
def cut(f): os.truncate(f, 2)
def copy(f):
    with open(f, "rb", 0) as i: content = i.read()
    with open(f + ".copy", "wb", 0) as o: o.write(content)
uses = {"append": append, "update": update, "cut": cut, "copy": copy}
for i in range(int(sys.argv[1])):
    f = "a%d" % i
    child = os.fork()
    if child == 0:
        o = os.open(f, os.O_WRONLY | os.O_TRUNC)
        os.write(o, b"half")
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    uses[sys.argv[2]](f)
' `

// tries is how often the tests of torsos try. PAPERFS_TEST_TRIES sets another number.
func tries() int {
	n, err := strconv.Atoi(os.Getenv("PAPERFS_TEST_TRIES"))
	if err != nil {
		return 30
	}
	return n
}

// TestATorsoIsNotContinued checks that a program that uses a file right after its writer was killed
// finds what the file held before, and publishes nothing of what the killed writer left.
func TestATorsoIsNotContinued(t *testing.T) {
	t.Parallel()
	for mode, options := range modesOf(t) {
		for use, want := range map[string]string{"append": "wholemore", "update": "wholemore", "cut": "wh", "copy": "whole"} {
			t.Run(mode+" "+use, func(t *testing.T) {
				t.Parallel()
				m := newMount(t, options...)
				n := tries()
				m.sh(fmt.Sprintf(`for ((i = 0; i < %d; i++)); do printf whole > a$i; done; ls > ../before`, n))
				m.idle()
				m.sh(torso + strconv.Itoa(n) + " " + use)
				published := m.atService()
				for i := range n {
					name := fmt.Sprintf("a%d", i)
					if use == "copy" {
						require.Equal(t, sum("whole"), published[name+".copy"], name)
					}
					require.Equal(t, sum(want), published[name], name)
				}
				require.Len(t, m.store.Failed(), n)
				for _, entry := range m.store.Failed() {
					require.Equal(t, "half", m.content(entry.Name))
				}
			})
		}
	}
}

// TestProgramsAfterATorso is TestATorsoIsNotContinued with the usual programs.
func TestProgramsAfterATorso(t *testing.T) {
	t.Parallel()
	const killed = `sh -c 'exec > "$0"; printf half; kill -KILL $$' `
	for name, c := range map[string]struct{ program, a, b string }{
		"a shell appends": {`printf more >> a`, "wholemore", ""},
		"truncate":        {`truncate -s 2 a`, "wh", ""},
		"cp":              {`cp a b`, "whole", "whole"},
		"cp to it":        {`cp ../new a`, "new", ""},
		"of a new file":   {killed + `b; printf more >> b`, "whole", "more"},
		"another one goes on": {`: > ../go; rm ../go
bash -c '{ sh -c "printf half; kill -KILL \$\$"; : > ../ready; until test -e ../go; do sleep .01; done; /bin/echo more; true; } > a 2> ../lost' & shell=$!
until test -e ../ready; do sleep .01; done; printf more >> a; : > ../go; wait $shell; grep -q "rror" ../lost`, "wholemore", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMount(t)
			m.sh(`printf whole > a; printf new > ../new`)
			out := m.sh(`{ ` + killed + `a; } 2> /dev/null; ` + c.program)
			m.settled()
			want := map[string]string{"a": sum(c.a)}
			if c.b != "" {
				want["b"] = sum(c.b)
			}
			require.Equal(t, want, m.atService(), out)
			require.NotEmpty(t, m.store.Failed())
			for _, entry := range m.store.Failed() {
				require.True(t, strings.HasPrefix(m.content(entry.Name), "half"), entry.Name)
			}
		})
	}
}
