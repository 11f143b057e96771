package store

// Holding is one content that a record names.
type Holding struct {
	Key    string
	Size   int64     // bytes; -1 where no record tells
	Least  int64     // bytes that it has to have, where Size is -1
	SHA256 *[32]byte // nil where no record tells
	What   string    // what it is the content of, for people
}

// Inventory is what a check goes through: all tenants.
type Inventory interface {
	// Holdings visits every content that a record names.
	Holdings(visit func(Holding) error) error
	// SmallFiles visits the media files whose content is kept with their record;
	// data is valid during the visit, and nil if there is none.
	SmallFiles(visit func(h Holding, data []byte) error) error
	// Faults tells what contradicts itself in the records, one sentence each.
	Faults() ([]string, error)
}
