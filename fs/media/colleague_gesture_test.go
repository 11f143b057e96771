package media_test

import (
	"fmt"
	"math/rand/v2"
	"path"
	"strings"
)

// pause is a shell function that lets others continue: it waits for a line.
const pause = `pause() { echo ready >&9; read -r; }; exec 9>&1; `

// slowly copies a file, and pauses after a number of bytes. It is not a shell redirection, because a
// shell does not report a failed close.
const slowly = `slowly='($from, $to, $most) = @ARGV; $| = 1; undef $/; open I, "<", $from or die; $text = <I>;
open F, ">", $to or die; F->autoflush(1); print F substr $text, 0, $most; print "ready\n"; $/ = "\n"; <STDIN>;
if (length $text > $most) { print F substr $text, $most } close F or die $!'; `

// gesture is an action of the mount's user: a script, whose new content is in $new, and its result
// for each path.
type gesture struct {
	script string
	writes map[string]string // by path
	goes   []string          // the removed path
	moves  [2]string         // from, to; the content is not known in advance
	sweeps bool              // removes whatever it finds
}

var colleaguePaths = []string{"a", "b", "d/a", "d/b", "e/a"}

// anyGesture picks a random gesture. content is what it writes, and new is the file with that content.
func anyGesture(r *rand.Rand, content, new string) gesture {
	pick := r.Perm(len(colleaguePaths))
	p, q := colleaguePaths[pick[0]], colleaguePaths[pick[1]]
	part := path.Join(path.Dir(p), ".part"+path.Base(new))
	puts := func(script string) gesture {
		script = strings.NewReplacer("NEW", "../"+new, "PART", part, "PATH", p).Replace(script)
		return gesture{script: script, writes: map[string]string{p: sum(content)}}
	}
	moved := func(script string) gesture {
		script = strings.NewReplacer("FROM", p, "TO", q, "KEPT", path.Join(path.Dir(p), ".kept"+path.Base(new))).Replace(script)
		return gesture{script: script, goes: []string{p}, moves: [2]string{p, q}}
	}
	all := []func() gesture{
		func() gesture { return puts(`cp NEW PATH`) },
		func() gesture { return puts(`cat NEW > PATH`) },
		func() gesture { return puts(slowly + `perl -e "$slowly" NEW PATH 9`) },
		func() gesture { return puts(slowly + `perl -e "$slowly" NEW PATH 10000000`) },
		func() gesture { return puts(`cat NEW > PART && mv -f PART PATH`) },
		func() gesture { return puts(`cat NEW > PART && pause && mv -f PART PATH`) },
		func() gesture { return puts(`cat NEW > PART && mv -n PART PATH && test ! -e PART`) },
		func() gesture { return puts(`set -o noclobber; cat NEW > PATH`) },
		func() gesture { return puts(`rsync -aI NEW PATH`) },
		func() gesture { return gesture{script: `: > ` + p, writes: map[string]string{p: sum("")}} },
		func() gesture { return gesture{script: `rm ` + p, goes: []string{p}} },
		func() gesture { return moved(`mv -f FROM TO`) },
		func() gesture { return moved(`mv -n FROM TO && test ! -e FROM`) },
		func() gesture { return moved(`mv -f FROM KEPT && pause && mv -f KEPT TO`) },
		func() gesture { return gesture{script: `mkdir -p d e`} },
		func() gesture { return gesture{script: `echo > d/.stays`} },
		func() gesture { return gesture{script: `rm -f d/.stays; rmdir d`} },
		func() gesture { return gesture{script: `rm -r e`, goes: []string{"e/a"}, sweeps: true} },
		func() gesture {
			dir := ".dir" + path.Base(new)
			return gesture{script: fmt.Sprintf(`mkdir %s && cp ../%s %[1]s/a && mv -T %[1]s e`, dir, new), writes: map[string]string{"e/a": sum(content)}}
		},
	}
	weights := []int{4, 3, 3, 3, 3, 3, 2, 3, 2, 1, 4, 4, 2, 2, 2, 1, 1, 1, 2}
	n := 0
	for _, w := range weights {
		n += w
	}
	at := r.IntN(n)
	for i, w := range weights {
		if at -= w; at < 0 {
			return all[i]()
		}
	}
	panic("more weights than gestures")
}
