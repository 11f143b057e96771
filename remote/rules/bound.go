package rules

// Bounds of numbers (contract, 3.5 and 5).
const (
	MaxID             = 1<<31 - 1 // the greatest id of any space, and number of a page
	MaxPreviewMinutes = 525600    // of a preview token: a year
)
