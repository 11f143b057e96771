package answer

// CDATAStyle is how answers contain free text (contract, 2.2). All styles mean the same to a
// client.
type CDATAStyle int

// The styles.
const (
	Tight  CDATAStyle = iota // <code><![CDATA[SUCCESS]]></code>
	Padded                   // line breaks around it, and spaces inside if clients trim the value
	None                     // escaped text
)
