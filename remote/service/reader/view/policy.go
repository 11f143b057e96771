package view

// Policy is the Content-Security-Policy of a page: files of this host and
// nothing else. Shops may show a page in a frame.
const Policy = "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'"
