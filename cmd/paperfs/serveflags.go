package main

import (
	"paperfs/remote/service"

	"github.com/spf13/pflag"
)

// serveFlags are the flags of serve, as its help groups them.
func serveFlags(c *Config) []*pflag.FlagSet {
	return []*pflag.FlagSet{
		flagGroup("Data and addresses", c.bindServeAddresses),
		flagGroup("Limits", c.bindServeLimits),
		flagGroup("Log", c.bindServeLog),
		flagGroup("To be like another server", c.bindServeForms),
	}
}

func (c *Config) bindServeAddresses(f *pflag.FlagSet) {
	f.StringVar(&c.Data, "data", c.Data, "`DIR` of everything the service keeps")
	f.StringVar(&c.Listen, "listen", c.Listen, "address to listen at, `HOST:PORT`")
	f.StringVar(&c.AdminListen, "admin-listen", c.AdminListen, "loopback `ADDRESS` or path of a socket for /healthz, /readyz and /metrics, where no credentials are asked for; empty: none")
	f.StringVar(&c.TLSCert, "tls-cert", c.TLSCert, "certificate `FILE` (PEM); with it the service speaks HTTPS")
	f.StringVar(&c.TLSKey, "tls-key", c.TLSKey, "key `FILE` of the certificate (PEM)")
	f.StringVar(&c.BasePath, "base-path", c.BasePath, "`PATH` before all addresses; a mount of it needs --public-url for its preview links")
	f.StringSliceVar(&c.Proxies, "trusted-proxies", nil, "addresses or ranges (`CIDR,...`) of proxies whose Forwarded, or X-Forwarded-For, -Proto and -Host, say who calls: see paperfs help proxies")
}

func (c *Config) bindServeLimits(f *pflag.FlagSet) {
	f.IntVar(&c.ServiceRPM, "rpm", c.ServiceRPM, "requests of one account in any minute, a `NUMBER`; more is 429; 0: no limit")
	f.Int64Var(&c.BodyLimit, "body-limit", c.BodyLimit, "`BYTES` of a request body; 0: none for UploadFile but the free space, 320 MiB for the others")
	f.Int64Var(&c.PDFLimit, "pdf-limit", c.PDFLimit, "`BYTES` of a PDF to process, before it is encoded; 0: 192 MiB")
	f.IntVar(&c.PDFQueue, "pdf-queue", c.PDFQueue, "`NUMBER` of PDFs of one tenant that are processed or wait for it; one more is ERROR, in words; 0: any number")
	f.IntVar(&c.AddressConnections, "address-connections", c.AddressConnections, "`NUMBER` of connections of one address at a time; 0: any number")
	f.IntVar(&c.AddressRequests, "address-requests", c.AddressRequests, "`NUMBER` of requests of one address a second without good credentials, ten seconds' worth at once; more is 429; 0: any number")
	f.IntVar(&c.TrashDays, "trash-days", c.TrashDays, "`DAYS` that content without a record is kept in the trash")
}

func (c *Config) bindServeLog(f *pflag.FlagSet) {
	f.StringVar(&c.LogFormat, "log-format", c.LogFormat, "`FORMAT` of the log, one line a request: text or json")
	f.StringVar(&c.LogLevel, "log-level", c.LogLevel, "`LEVEL` of the log: debug, info, warn or error")
}

func (c *Config) bindServeForms(f *pflag.FlagSet) {
	f.StringVar(&c.TreeForm, "tree-form", c.TreeForm, "`FORM` of GetAllPapers: wrapped or raw")
	f.StringVar(&c.Namespace, "namespace", c.Namespace, "XML namespace (`URI`) of the wrapped form (default "+service.DefaultNamespace+")")
	f.StringVar(&c.CDATA, "cdata", c.CDATA, "`STYLE` of free text: tight, padded or none")
	f.StringVar(&c.ImageTypes, "image-types", c.ImageTypes, "`STYLE` of image types in a structure with text: names or digits")
	f.BoolVar(&c.StrictCodes, "strict-codes", c.StrictCodes, "answer ERROR instead of a code that an operation does not document")
	f.BoolVar(&c.NoExtended, "no-extended", c.NoExtended, "offer the twenty operations of the interface document only")
	f.BoolVar(&c.SearchOutage, "search-outage", c.SearchOutage, "answer searches with SEARCH_TEMPORARILY_UNAVAILABLE")
	f.StringVar(&c.Clock, "clock", c.Clock, "a fixed `TIME` that the service takes for now, RFC 3339 (for tests)")
}
