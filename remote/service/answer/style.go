package answer

// CDATAStyle is how free text is written in answers (contract, 2.2). All mean
// the same to a client.
type CDATAStyle int

// The styles.
const (
	Tight  CDATAStyle = iota // <code><![CDATA[SUCCESS]]></code>
	Padded                   // line breaks around, and blanks inside where a client trims
	None                     // escaped text
)
