// Package apitest has the tests of package service that drive the whole service, over HTTP and with the files of
// its data directory. A file is named after what it is about; harness_test.go starts a service, and inside_test.go
// changes what no request can.
package apitest
