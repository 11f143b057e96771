package mounttest

import (
	"strconv"

	"paperfs/remote"
)

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

func number(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return -1
	}
	return n
}

func nodeAt(id int64, url string) remote.Node {
	return remote.Node{ID: id, Kind: remote.CategoryNode, URL: url}
}
