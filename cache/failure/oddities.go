package failure

import "fmt"

// mostOddities is the maximum number of oddities reported at a time, so that a service
// with many does not push everything else out of the list of failures.
const mostOddities = 20

// Oddities reports oddities of something that is read repeatedly only once, for as long as
// they last. The zero Oddities has reported nothing.
type Oddities struct{ told map[string]bool }

// Fresh returns the oddities in now that the previous call did not have. Beyond twenty it
// only counts them.
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
