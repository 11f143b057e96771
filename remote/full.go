package remote

import "paperfs/remote/xmlscan"

// Full says what is full if an ERROR of the service is for that reason. Our own
// service says so in the data of the answer, as <full what="disk"/> or
// <full what="quota"/>. Other services say it in words only.
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
