package remote

import "paperfs/remote/xmlscan"

// Full says what is full, if that is the reason for an ERROR. The embedded service says it
// in the data of the answer, as <full what="disk"/> or <full what="quota"/>. Other
// services say it only in words.
type Full string

// The things that can be full.
const (
	FullDisk  Full = "disk"
	FullQuota Full = "quota"
)

// fullOf reads the element full; "" for any other element.
func fullOf(s *xmlscan.Scanner) Full {
	if !s.Is("full") {
		return ""
	}
	switch what := Full(s.Attr("what")); what {
	case FullDisk, FullQuota:
		return what
	}
	return ""
}
