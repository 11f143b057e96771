package main

import (
	"fmt"
	"net/netip"

	"paperfs/cmd/paperfs/cli"
)

// prefixes parses addresses and ranges. An IPv4-mapped IPv6 range (::ffff:10.0.0.0/104)
// counts as IPv4, as the callers' addresses do. A zone is refused, because it would match
// nothing.
func prefixes(texts []string) ([]netip.Prefix, error) {
	var all []netip.Prefix
	for _, text := range texts {
		p, ok := prefix(text)
		if !ok {
			return nil, &cli.UsageError{Err: fmt.Errorf("--trusted-proxies %q: give addresses or ranges such as 10.0.0.0/8, without a zone", text)}
		}
		all = append(all, p)
	}
	return all, nil
}

func prefix(text string) (_ netip.Prefix, ok bool) {
	p, err := netip.ParsePrefix(text)
	if err != nil {
		address, err := netip.ParseAddr(text)
		if err != nil || address.Zone() != "" {
			return p, false
		}
		p = netip.PrefixFrom(address, address.BitLen())
	}
	if p.Addr().Is4In6() {
		// A range of less than 96 bits contains more than IPv4.
		p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96)
	}
	return p.Masked(), p.IsValid()
}
