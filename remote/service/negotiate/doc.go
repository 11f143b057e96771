// Package negotiate reads what a client asks for: whether it accepts gzip ([AcceptsGzip]), which
// answer it already has ([Matches]), and what it prefers ([Preference]). It pools the compressors
// of answers ([Fast], [Small]).
package negotiate
