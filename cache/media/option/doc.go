// Package option has what a media store is opened with, and the service that it uses.
package option
