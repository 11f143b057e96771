package store

// Holding is one content that a record names.
type Holding struct {
	Key    string
	Size   int64     // bytes; -1 if the record does not say
	Least  int64     // the smallest valid size in bytes, where Size is -1
	SHA256 *[32]byte // nil if the record does not say
	What   string    // a description of the content for people
}

// Inventory lists what a check examines, for all tenants.
type Inventory interface {
	// Holdings visits every content that a record names.
	Holdings(visit func(Holding) error) error
	// SmallFiles visits the media files whose content is stored in their record. data is valid
	// during the visit, and nil if it is missing.
	SmallFiles(visit func(h Holding, data []byte) error) error
	// Faults returns the contradictions in the records, one sentence each.
	Faults() ([]string, error)
}
