package failure

import "fmt"

// mostOddities is how many are told of at a time; a service that is odd
// throughout must not push everything else out of the list of failures.
const mostOddities = 20

// Oddities has what is odd in something that is read again and again told
// once, for as long as it stays. The zero Oddities has told nothing.
type Oddities struct{ told map[string]bool }

// Fresh is those of the present oddities, in words, that were not there the
// time before. Past twenty it only says how many more there are.
func (o *Oddities) Fresh(now []string) []string {
	before := o.told
	o.told = make(map[string]bool, len(now))
	var fresh []string
	for _, words := range now {
		if !before[words] && !o.told[words] {
			fresh = append(fresh, words)
		}
		o.told[words] = true
	}
	if more := len(fresh) - mostOddities; more > 0 {
		fresh = append(fresh[:mostOddities:mostOddities], fmt.Sprintf("and %d more such records", more))
	}
	return fresh
}
