package inode

// State says where the content of a node is.
type State string

// The states.
const (
	Published State = "published" // the service has it as the mount shows it
	Pending   State = "pending"   // the service does not have it yet: being written or queued
	Failed    State = "failed"    // the service refused it; the content is in .paperfs/failed
	Local     State = "local"     // stays on this machine
)

// Description describes a node. Fields that do not apply are empty.
type Description struct {
	Path    string `json:"path"` // from the mount root, without a slash at either end
	Kind    string `json:"kind"` // category, paper, directory, file, symlink, generated
	State   State  `json:"state"`
	ID      int64  `json:"id,omitempty"` // the service's; ids of nodes and of media overlap
	URL     string `json:"url,omitempty"`
	Address string `json:"address,omitempty"` // the whole public address
	SHA256  string `json:"sha256,omitempty"`
	// Publication of a paper follows from its period: public, not yet, over or nobody. It is "not public" if the setting public
	// is known to be false.
	Publication string `json:"publication,omitempty"`
	Period      string `json:"period,omitempty"` // as in the file publication
	LastError   string `json:"lastError,omitempty"`
	Progress    *int   `json:"progress,omitempty"` // of the job in the paper's file job, in percent
}

// Describer is a node that can describe itself.
type Describer interface{ Describe() Description }
