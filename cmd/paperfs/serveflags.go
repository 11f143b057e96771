package main

import (
	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/config"
	"paperfs/remote/service"

	"github.com/spf13/pflag"
)

// serveFlags returns the flags of serve in the groups of its help.
func serveFlags(c *config.Config) []*pflag.FlagSet {
	return []*pflag.FlagSet{
		cli.FlagGroup("Data and addresses", func(f *pflag.FlagSet) { bindServeAddresses(c, f) }),
		cli.FlagGroup("Several nodes (see paperfs help cluster)", func(f *pflag.FlagSet) { bindServeNode(c, f) }),
		cli.FlagGroup("Limits", func(f *pflag.FlagSet) { bindServeLimits(c, f) }),
		cli.FlagGroup("Logging", func(f *pflag.FlagSet) { bindServeLog(c, f) }),
		cli.FlagGroup("To behave like another server", func(f *pflag.FlagSet) { bindServeForms(c, f) }),
	}
}

func bindServeAddresses(c *config.Config, f *pflag.FlagSet) {
	f.StringVar(&c.Data, "data", c.Data, "`DIR` for everything the service keeps")
	f.StringVar(&c.Listen, "listen", c.Listen, "address to listen on, `HOST:PORT`")
	f.StringVar(&c.AdminListen, "admin-listen", c.AdminListen, "loopback `ADDRESS` or path of a socket for /healthz, /readyz and /metrics, which need no credentials; empty: none")
	f.StringVar(&c.TLSCert, "tls-cert", c.TLSCert, "certificate `FILE` (PEM); with it the service speaks HTTPS")
	f.StringVar(&c.TLSKey, "tls-key", c.TLSKey, "key `FILE` of the certificate (PEM)")
	f.StringVar(&c.BasePath, "base-path", c.BasePath, "`PATH` that all addresses begin with; a mount of the service needs --public-url for its preview links")
	f.StringSliceVar(&c.Proxies, "trusted-proxies", nil, "addresses or ranges (`CIDR,...`) of proxies whose Forwarded, or X-Forwarded-For, -Proto and -Host, say who the caller is: see paperfs help proxies")
}

func bindServeNode(c *config.Config, f *pflag.FlagSet) {
	f.StringVar(&c.Database, "database", c.Database, "`ADDRESS` of a PostgreSQL database, postgres://USER@HOST/DATABASE, for the records in place of --data; its password comes from PGPASSWORD or the file of PGPASSFILE")
	f.StringVar(&c.Objects, "objects", c.Objects, "`ADDRESS` of an object store, s3://HOST/BUCKET/PREFIX, for the content; its keys come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the file of AWS_SHARED_CREDENTIALS_FILE")
	f.StringVar(&c.Scratch, "scratch", c.Scratch, "`DIR` for this node alone, for temporary data: answers under way, compiled code; it may be empty at each start")
	f.StringVar(&c.Node, "node", c.Node, "`NAME` of this node in logs and request numbers (default: the name of the machine)")
	f.IntVar(&c.Jobs, "jobs", c.Jobs, "`NUMBER` of PDFs that this process processes at a time; 0: none, other nodes do")
}

func bindServeLimits(c *config.Config, f *pflag.FlagSet) {
	f.IntVar(&c.ServiceRPM, "rpm", c.ServiceRPM, "`NUMBER` of requests of one account in any minute; more are answered with 429; 0: no limit")
	f.Int64Var(&c.BodyLimit, "body-limit", c.BodyLimit, "most `BYTES` of a request body; 0: only the free space limits UploadFile, 320 MiB other operations")
	f.Int64Var(&c.PDFLimit, "pdf-limit", c.PDFLimit, "most `BYTES` of a PDF to process, before it is encoded; 0: 192 MiB")
	f.IntVar(&c.PDFQueue, "pdf-queue", c.PDFQueue, "`NUMBER` of PDFs of one tenant that may wait or be processed; the next is answered with ERROR; 0: any number")
	f.IntVar(&c.AddressConnections, "address-connections", c.AddressConnections, "`NUMBER` of simultaneous connections from one address; 0: any number")
	f.IntVar(&c.AddressRequests, "address-requests", c.AddressRequests, "`NUMBER` of requests a second from one address without valid credentials, in bursts of up to ten seconds' worth; more are answered with 429; 0: any number")
	f.IntVar(&c.AddressOrders, "address-orders", c.AddressOrders, "`NUMBER` of orders of readers at one address a day, a sixth of them (at least 5) a minute; more are refused")
	f.IntVar(&c.TrashDays, "trash-days", c.TrashDays, "`DAYS` that content without a record is kept in the trash")
}

func bindServeLog(c *config.Config, f *pflag.FlagSet) {
	f.StringVar(&c.LogFormat, "log-format", c.LogFormat, "`FORMAT` of the log, one line for each request, and of messages: text or json")
	f.StringVar(&c.LogLevel, "log-level", c.LogLevel, "`LEVEL` of the log: debug, info, warn or error")
}

func bindServeForms(c *config.Config, f *pflag.FlagSet) {
	f.StringVar(&c.TreeForm, "tree-form", c.TreeForm, "`FORM` of GetAllPapers: wrapped or raw")
	f.StringVar(&c.Namespace, "namespace", c.Namespace, "XML namespace (`URI`) of the wrapped form (default "+service.DefaultNamespace+")")
	f.StringVar(&c.CDATA, "cdata", c.CDATA, "`STYLE` of free text: tight, padded or none")
	f.StringVar(&c.ImageTypes, "image-types", c.ImageTypes, "`STYLE` of image types in a structure with text: names or digits")
	f.BoolVar(&c.StrictCodes, "strict-codes", c.StrictCodes, "answer ERROR instead of a code that an operation does not document")
	f.BoolVar(&c.NoExtended, "no-extended", c.NoExtended, "offer only the twenty operations of the interface document")
	f.BoolVar(&c.SearchOutage, "search-outage", c.SearchOutage, "answer searches with SEARCH_TEMPORARILY_UNAVAILABLE")
	f.StringVar(&c.Clock, "clock", c.Clock, "fixed `TIME` to use as the current one, RFC 3339 (for tests)")
}
