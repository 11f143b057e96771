package form

import (
	"github.com/segmentio/asm/base64"

	"paperfs/remote/digits"
)

// maxRun is how many bytes of a value are decoded at a time. It fits into the processor's L1
// cache, and limits how much was scanned in vain when a byte ends a run early.
const maxRun = 8 << 10

// run decodes the digits at the start of src, including escaped + and /. It returns how many
// bytes they are and whether it decoded them; if not, the caller takes them one at a time. d must
// be between two groups, with room for maxRun bytes in out.
func (d *base64Decoder) run(src []byte) (length int, decoded bool) {
	run := d.digitBuf[:]
	length, n := digits.Unescape(run, src[:min(len(src), maxRun)])
	for n > 0 && run[n-1] == '=' { // padding is for take, and must not end the run of the digits before it in vain
		length, n = length-1, n-1
	}
	whole := n / 4 * 4
	if whole == 0 || !d.begin(run[whole:n]) {
		return length, false
	}
	at := len(d.out)
	// The decoder rejects some bytes that are not digits, as the & behind a value, and silently drops others.
	if got, err := base64.StdEncoding.Decode(d.out[at:cap(d.out)], run[:whole]); err != nil || got != whole/4*3 {
		d.quantum, d.digits = 0, 0
		return length, false
	}
	d.out = d.out[:at+whole/4*3]
	return length, true
}

// begin starts a group with at most three digits. It returns false if one of them is not a digit.
func (d *base64Decoder) begin(digits []byte) bool {
	var quantum uint32
	for _, c := range digits {
		class := classes[c]
		if c == '+' {
			class = plus
		}
		if class >= padding {
			return false
		}
		quantum = quantum<<6 | uint32(class)
	}
	d.quantum, d.digits = quantum, len(digits)
	return true
}
