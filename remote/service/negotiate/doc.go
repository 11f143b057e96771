// Package negotiate reads what a client asks of the form of an answer: whether it
// takes gzip ([AcceptsGzip]), which answer it has already ([Matches]), and what it
// prefers ([Preference]). It keeps the compressors of all answers ([Compressor]).
package negotiate
