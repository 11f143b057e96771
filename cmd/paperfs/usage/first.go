package usage

// First is the first argument, if there is one.
func First(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}
