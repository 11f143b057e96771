package processing

import (
	"fmt"
	"hash/maphash"
	"strings"
)

// mostProblems is how many problems the reason of a job names.
const mostProblems = 20

// longestNamed is how many bytes of a name or failure a reason shows.
const longestNamed = 200

// problems are what somebody should know of a job.
type problems struct {
	named []string        // in words
	noted map[uint64]bool // hashes of all problems, named or not
	more  int             // problems that are not named
}

// problem notes a problem once. Names from tables and documents are cut: they may be long.
func (p *problems) problem(format string, args ...any) {
	for i, a := range args {
		if text, ok := a.(string); ok && len(text) > longestNamed {
			args[i] = strings.ToValidUTF8(text[:longestNamed], "") + "…"
		}
	}
	text := fmt.Sprintf(format, args...)
	hash := maphash.String(problemSeed, text)
	switch {
	case p.noted[hash]:
		return
	case p.noted == nil:
		p.noted = map[uint64]bool{}
	}
	p.noted[hash] = true
	if len(p.named) == mostProblems {
		p.more++
		return
	}
	p.named = append(p.named, text)
}

var problemSeed = maphash.MakeSeed()

// reason returns all problems in words; "" for none.
func (p *problems) reason() string {
	text := strings.Join(p.named, " ")
	if p.more > 0 {
		text += fmt.Sprintf(" And %d more.", p.more)
	}
	return text
}
