package describe

// State of a node: where its content is.
type State string

// The states.
const (
	Published State = "published" // the service has it as it is shown
	Pending   State = "pending"   // on its way to the service
	Failed    State = "failed"    // the service did not take it; the content is in .paperfs/failed
	Local     State = "local"     // stays on this machine
)

// Description is what a node is. Fields that do not apply are empty.
type Description struct {
	Path    string `json:"path"` // from the mount root, without a slash at either end
	Kind    string `json:"kind"` // category, paper, directory, file, symlink, generated
	State   State  `json:"state"`
	ID      int64  `json:"id,omitempty"` // the service's; ids of nodes and of media overlap
	URL     string `json:"url,omitempty"`
	Address string `json:"address,omitempty"` // the whole public one
	SHA256  string `json:"sha256,omitempty"`
	// Publication of a paper: public, not yet, over or nobody, by its period.
	Publication string `json:"publication,omitempty"`
	Period      string `json:"period,omitempty"` // as the file publication has it
	LastError   string `json:"lastError,omitempty"`
	Progress    *int   `json:"progress,omitempty"` // of the job that a paper's file job is about, percent
}

// Describer is a node that can say what it is.
type Describer interface{ Describe() Description }
