package rules

// Bounds of numbers (contract, 3.5 and 5).
const (
	MaxID             = 1<<31 - 1 // greatest id of any record, and greatest page number
	MaxPreviewMinutes = 525600    // validity of a preview token: a year
)
