// Package negotiate reads what a client asks of the form of an answer: whether it
// takes gzip ([AcceptsGzip]), and which answer it has already ([Matches]). It keeps
// the compressors of all answers ([Compressor]).
package negotiate
