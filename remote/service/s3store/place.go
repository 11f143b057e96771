package s3store

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path"
	"strings"

	"github.com/minio/minio-go/v7"
)

// Place says where objects are.
type Place struct {
	Host   string // with a port unless it is the default one
	Plain  bool   // HTTP instead of HTTPS
	Bucket string
	Prefix string // of all keys, with a trailing slash; "" for none
	Region string
	Lookup minio.BucketLookupType // how an address names the bucket
}

// ParsePlace parses an address:
//
//	s3://HOST[:PORT]/BUCKET[/PREFIX][?region=REGION][&style=path|host]
//
// It uses HTTPS, except for this machine itself (localhost, 127.0.0.1, [::1]), which it accesses
// by plain HTTP. s3+http:// means plain HTTP to any machine. Without region=, the environment
// sets the region (AWS_REGION, AWS_DEFAULT_REGION); the default is us-east-1. The bucket is in
// the path with style=path and in the host name with style=host. Without a style, the client
// chooses by the host.
func ParsePlace(address string) (p Place, err error) {
	// The message does not repeat the address, which may contain a secret.
	none := errors.New("not an object store address; the form is s3://HOST/BUCKET/PREFIX")
	u, err := url.Parse(address)
	if err != nil {
		return p, none
	}
	options, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return p, none
	}
	if u.User != nil {
		return p, errors.New("the address of the object store has credentials in it: they belong in the environment or in a file")
	}
	p.Bucket, p.Prefix, _ = strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
	p.Prefix = strings.TrimSuffix(p.Prefix, "/")
	if u.Scheme != "s3" && u.Scheme != "s3+http" || u.Hostname() == "" || p.Bucket == "" || u.Fragment != "" || p.Prefix != "" && path.Clean("/"+p.Prefix) != "/"+p.Prefix {
		return p, none
	}
	if p.Prefix != "" {
		p.Prefix += "/"
	}
	p.Host, p.Plain = u.Host, u.Scheme == "s3+http" || loopback(u.Hostname())
	return p, p.options(options)
}

func (p *Place) options(query url.Values) error {
	p.Region, p.Lookup = region(), minio.BucketLookupAuto
	for name, values := range query {
		switch last := values[len(values)-1]; {
		case name == "region" && last != "":
			p.Region = last
		case name == "style" && last == "path":
			p.Lookup = minio.BucketLookupPath
		case name == "style" && last == "host":
			p.Lookup = minio.BucketLookupDNS
		default:
			return fmt.Errorf("the address of the object store has an unknown or invalid %s; possible are region=REGION, and style=path or style=host", name)
		}
	}
	return nil
}

func region() string {
	for _, name := range []string{"AWS_REGION", "AWS_DEFAULT_REGION"} {
		if value := os.Getenv(name); value != "" {
			return value
		}
	}
	return "us-east-1"
}

func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// String returns the address for people, without options.
func (p Place) String() string {
	scheme := "s3"
	if host, _, err := net.SplitHostPort(p.Host); p.Plain && !loopback(p.Host) && (err != nil || !loopback(host)) {
		scheme = "s3+http"
	}
	return scheme + "://" + p.Host + "/" + strings.TrimSuffix(p.Bucket+"/"+p.Prefix, "/")
}
