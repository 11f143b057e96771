package admin

// CheckOptions say how far a check goes.
type CheckOptions struct {
	Fix  bool // puts right what can be put right without a loss
	Deep bool // reads all content and compares its SHA-256

	Progress func(done, all int) // is told how far the contents are; may be nil
}

// CheckReport is what a check found. The sentences are for people.
type CheckReport struct {
	Contents int      `json:"contents"` // that records name
	Faults   []string `json:"faults"`   // records that contradict themselves
	Missing  []string `json:"missing"`  // records whose content is not there
	Wrong    []string `json:"wrong"`    // records whose content has another size or SHA-256
	Orphans  []string `json:"orphans"`  // keys of content that no record names, older than a day
	Young    int      `json:"young"`    // younger content that no record names: it may be about to get one
	Fixed    []string `json:"fixed"`    // what was put right; it is in none of the lists above
}

// Sound reports whether nothing is wrong.
func (r *CheckReport) Sound() bool {
	return len(r.Faults)+len(r.Missing)+len(r.Wrong)+len(r.Orphans) == 0
}
