package fullcopy

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"iter"

	"paperfs/remote/service/store"
)

// Digest identifies a set of rows regardless of their order: it is the sum of their SHA-256.
type Digest struct {
	Rows int64
	sum  [4]uint64
}

// counting passes rows on and adds them to the digest.
func (d *Digest) counting(rows iter.Seq2[store.Row, error]) iter.Seq2[store.Row, error] {
	return func(yield func(store.Row, error) bool) {
		h := sha256.New()
		for row, err := range sanitized(rows) {
			if err == nil {
				d.add(h, row)
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

func (d *Digest) add(h hash.Hash, row store.Row) {
	h.Reset()
	for _, value := range row {
		fmt.Fprintf(h, "%T %x;", value, value)
	}
	var sum [sha256.Size]byte
	h.Sum(sum[:0])
	for i := range d.sum {
		d.sum[i] += binary.BigEndian.Uint64(sum[8*i:])
	}
	d.Rows++
}

func digestOf(tables store.Tables, table string, columns []string) (d Digest, err error) {
	for _, err := range d.counting(tables.Rows(table, columns)) {
		if err != nil {
			return d, fmt.Errorf("read the table %s: %w", table, err)
		}
	}
	return d, nil
}
