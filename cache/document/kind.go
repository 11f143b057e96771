package document

// Doc is a kind of answer. The comment of each kind names the argument that Known takes
// with it.
type Doc uint8

// The kinds.
const (
	DocStructure     Doc = iota + 1
	DocStructureText     // the structure with the indexed text
	DocLinks
	DocOrders              // argument: checkout type, empty for all
	DocSettingDescriptions // id 0
	DocSetting             // argument: name
	DocField               // argument: name
	DocSearchPapers        // argument: query
	DocSearchPages         // argument: query
	DocSearchFields        // argument: CriteriaKey
	docFields
	docJob
	docImage      // argument: type and page id
	docProcessing // id 0
	DocStatistics // argument: month, with PagesOf by page
)
