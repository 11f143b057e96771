package admin

// CheckOptions say what a check does.
type CheckOptions struct {
	Fix  bool // repairs what can be repaired without losing data
	Deep bool // reads all content and compares its SHA-256

	Progress func(done, all int) // called with the number of contents checked; may be nil
}

// CheckReport is the result of a check. The sentences are for people.
type CheckReport struct {
	Contents int      `json:"contents"` // number of contents that records name
	Faults   []string `json:"faults"`   // records that contradict themselves
	Missing  []string `json:"missing"`  // records whose content is missing
	Wrong    []string `json:"wrong"`    // records whose content has another size or SHA-256
	Orphans  []string `json:"orphans"`  // keys of content that no record names, older than a day
	Young    int      `json:"young"`    // number of younger contents that no record names: they may be about to get one
	Fixed    []string `json:"fixed"`    // what was repaired; not in any of the lists above
}

// Sound reports whether nothing is wrong.
func (r *CheckReport) Sound() bool {
	return len(r.Faults)+len(r.Missing)+len(r.Wrong)+len(r.Orphans) == 0
}
