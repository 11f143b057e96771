package remote

import "paperfs/remote/xmlscan"

// Full says what of the service is full, where an ERROR is for that. Our own
// service tells it in the data of the answer, as <full what="disk"/> or
// <full what="quota"/>; others tell it in words alone.
type Full string

// The things that can be full.
const (
	FullDisk  Full = "disk"
	FullQuota Full = "quota"
)

// fullOf reads the element full; "" for any other.
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
