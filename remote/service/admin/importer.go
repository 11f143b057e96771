package admin

import (
	"paperfs/remote/service/store"
)

// Report counts what an import added or replaced.
type Report struct {
	Categories  int `json:"categories"` // created; existing ones are not counted
	Papers      int `json:"papers"`     // likewise
	Pages       int `json:"pages"`
	Links       int `json:"links"`
	Orders      int `json:"orders"`
	Jobs        int `json:"jobs"`
	Fields      int `json:"fields"`
	FieldValues int `json:"field_values"`
	Settings    int `json:"settings"`
	Periods     int `json:"periods"`
}

// importer is a running import.
type importer struct {
	tx     store.Writer
	tenant store.Tenant
	report Report
}
