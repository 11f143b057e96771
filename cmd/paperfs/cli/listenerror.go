package cli

import (
	"errors"
	"fmt"
	"net"
	"strings"
)

// ListenError returns the error of a failed attempt to listen at the address of a flag. It is a usage
// error if the address cannot be used on any machine.
func ListenError(flag, address string, err error) error {
	named := fmt.Errorf("%s %s: %w", flag, address, err)
	_, tried := errors.AsType[*net.OpError](err)
	if !tried && !strings.Contains(address, "/") || isAddressError(err) {
		return &UsageError{named}
	}
	return named
}

// isAddressError reports whether listening failed because the text is not an address.
func isAddressError(err error) bool {
	_, isDNS := errors.AsType[*net.DNSError](err)
	_, isAddr := errors.AsType[*net.AddrError](err)
	_, isParse := errors.AsType[*net.ParseError](err)
	return isDNS || isAddr || isParse
}
