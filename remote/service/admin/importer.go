package admin

import (
	"paperfs/remote/service/store"
)

// Report counts what an import brought.
type Report struct {
	Categories  int `json:"categories"` // made; those that were there are not counted
	Papers      int `json:"papers"`     // the same
	Pages       int `json:"pages"`
	Links       int `json:"links"`
	Orders      int `json:"orders"`
	Jobs        int `json:"jobs"`
	Fields      int `json:"fields"`
	FieldValues int `json:"field_values"`
	Settings    int `json:"settings"`
	Periods     int `json:"periods"`
}

// importer is one import under way.
type importer struct {
	tx     store.Writer
	tenant store.Tenant
	report Report
}
