package config

import (
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/spf13/pflag"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/service/engine"
	"paperfs/remote/service/s3store"
)

// Serve has the settings of paperfs serve, which are flags alone. They are rows of the table that table.go
// explains.
type Serve struct {
	Data        string   `group:"Data and addresses" flag:"data" value:"DIR" help:"DIR for everything the service keeps"`
	Listen      string   `flag:"listen" default:"127.0.0.1:8080" value:"HOST:PORT" help:"address to listen on, HOST:PORT"`
	AdminListen string   `flag:"admin-listen" value:"ADDRESS" help:"loopback ADDRESS or path of a socket for /healthz, /readyz and /metrics, which need no credentials; empty: none"`
	TLSCert     string   `flag:"tls-cert" value:"FILE" help:"certificate FILE (PEM); with it the service speaks HTTPS"`
	TLSKey      string   `flag:"tls-key" value:"FILE" help:"key FILE of the certificate (PEM)"`
	BasePath    string   `flag:"base-path" value:"PATH" help:"PATH that all addresses begin with; a mount of the service needs --public-url for its preview links"`
	ManageHosts []string `flag:"manage-host" list:"by commas" value:"HOST,..." help:"host names (HOST,...) that have the publisher's page /manage/ and nothing else, one for each tenant: see paperfs help manage (default: every host has the page)"`
	Proxies     []string `flag:"trusted-proxies" list:"by commas" value:"CIDR,..." help:"addresses or ranges (CIDR,...) of proxies whose Forwarded, or X-Forwarded-For, -Proto and -Host, say who the caller is: see paperfs help proxies"`

	Database string `group:"Several nodes (see paperfs help cluster)" flag:"database" value:"ADDRESS" help:"ADDRESS of a PostgreSQL database, postgres://USER@HOST/DATABASE, for the records in place of --data; its password comes from PGPASSWORD or the file of PGPASSFILE"`
	Objects  string `flag:"objects" value:"ADDRESS" help:"ADDRESS of an object store, s3://HOST/BUCKET/PREFIX, for the content; its keys come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the file of AWS_SHARED_CREDENTIALS_FILE"`
	Scratch  string `flag:"scratch" value:"DIR" help:"DIR for this node alone, for temporary data: answers under way, compiled code; it may be empty at each start"`
	Node     string `flag:"node" value:"NAME" help:"NAME of this node in logs and request numbers (default: the name of the machine)"`
	Jobs     int    `flag:"jobs" default:"2" range:"0" value:"NUMBER" help:"NUMBER of PDFs that this process processes at a time; 0: none, other nodes do"`

	RPM                int   `group:"Limits" flag:"rpm" range:"0" value:"NUMBER" help:"NUMBER of requests of one account in any minute; more are answered with 429; 0: no limit"`
	BodyLimit          int64 `flag:"body-limit" range:"0" value:"BYTES" help:"most BYTES of a request body; 0: only the free space limits UploadFile, 320 MiB other operations"`
	PDFLimit           int64 `flag:"pdf-limit" range:"0" value:"BYTES" help:"most BYTES of a PDF to process, before it is encoded; 0: 192 MiB"`
	PDFQueue           int   `flag:"pdf-queue" default:"1000" range:"0" value:"NUMBER" help:"NUMBER of PDFs of one tenant that may wait or be processed; the next is answered with ERROR; 0: any number"`
	AddressConnections int   `flag:"address-connections" default:"256" range:"0" value:"NUMBER" help:"NUMBER of simultaneous connections from one address; 0: any number"`
	AddressRequests    int   `flag:"address-requests" default:"100" range:"0" value:"NUMBER" help:"NUMBER of requests a second from one address without valid credentials, in bursts of up to ten seconds' worth; more are answered with 429; 0: any number"`
	AddressOrders      int   `flag:"address-orders" default:"30" range:"1" value:"NUMBER" help:"NUMBER of orders of readers at one address a day, a sixth of them (at least 5) a minute; more are refused"`
	TrashDays          int   `flag:"trash-days" default:"30" range:"1" value:"DAYS" help:"DAYS that content without a record is kept in the trash"`

	LogFormat string `group:"Logging" flag:"log-format" default:"text" words:"text json" value:"FORMAT" help:"FORMAT of the log, one line for each request, and of messages: text or json"`
	LogLevel  string `flag:"log-level" default:"info" value:"LEVEL" help:"LEVEL of the log: debug, info, warn or error"`

	TreeForm     string `group:"To behave like another server" flag:"tree-form" default:"wrapped" words:"wrapped raw" value:"FORM" help:"FORM of GetAllPapers: wrapped or raw"`
	Namespace    string `flag:"namespace" value:"URI" help:"XML namespace (URI) of the wrapped form (default http://tempuri.org/)"`
	CDATA        string `flag:"cdata" default:"tight" words:"tight padded none" value:"STYLE" help:"STYLE of free text: tight, padded or none"`
	ImageTypes   string `flag:"image-types" default:"names" words:"names digits" value:"STYLE" help:"STYLE of image types in a structure with text: names or digits"`
	StrictCodes  bool   `flag:"strict-codes" help:"answer ERROR instead of a code that an operation does not document"`
	NoExtended   bool   `flag:"no-extended" help:"offer only the twenty operations of the interface document"`
	SearchOutage bool   `flag:"search-outage" help:"answer searches with SEARCH_TEMPORARILY_UNAVAILABLE"`
	Clock        string `flag:"clock" value:"TIME" help:"fixed TIME to use as the current one, RFC 3339 (for tests)"`

	Flags []*pflag.FlagSet // of the settings, in the groups of the help
}

// NewServe returns the defaults.
func NewServe() *Serve {
	s := &Serve{Data: dataDir()}
	s.Flags = setDefaults(s)
	return s
}

// CheckValues refuses values outside of the table.
func (s *Serve) CheckValues() error {
	return checkValues(s, func(flag string) string { return "--" + flag })
}

// CheckShared refuses a node without a place for its records and one for its content.
func (s *Serve) CheckShared() error {
	err := CheckShared(s.Database, s.Objects)
	if err == nil && s.Objects == "" {
		err = &cli.UsageError{Err: errors.New("--database needs --objects s3://HOST/BUCKET/PREFIX, for the content")}
	}
	return err
}

// CheckShared refuses a database and an object store, each of which may be "", that nodes cannot share.
func CheckShared(database, objects string) error {
	if database != "" {
		if err := engine.CheckDatabase(database); err != nil {
			return &cli.UsageError{Err: fmt.Errorf("--database: %w", err)}
		}
	}
	if objects != "" {
		if _, err := s3store.ParsePlace(objects); err != nil {
			return &cli.UsageError{Err: fmt.Errorf("--objects: %w", err)}
		}
	}
	return nil
}

// Logger returns a logger that writes to standard error, one line for each event.
func (s *Serve) Logger() (*slog.Logger, error) {
	return newLogger(s.LogLevel, s.LogFormat, os.Stderr, false)
}
