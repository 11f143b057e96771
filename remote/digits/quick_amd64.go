package digits

// copyEscaped copies src as long as there are 32 bytes more, each + as %2B. dst must have three bytes for each of src; what is
// written ends with garbage.
//
//go:noescape
func copyEscaped(dst, src []byte) (read, written int)

// copyUnescaped copies src as long as there are 34 bytes more, each escaped + and / as it is, up to the first other byte that
// is less than /. dst must be as long as src; what is written ends with garbage.
//
//go:noescape
func copyUnescaped(dst, src []byte) (read, written int)
