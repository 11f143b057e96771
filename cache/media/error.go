package media

func lostWrites(path string) error {
	return &Error{Kind: Damaged, Name: path, Detail: "it was deleted at the service while it was being written here; what was written is kept among the failed"}
}
