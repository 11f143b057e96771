package reading

import (
	"hash/crc32"
	"slices"
	"sync"
)

// blockSize is the unit of fetching, keeping and giving out: what one READ of the kernel asks for.
const blockSize = 128 << 10

// blocksOf returns how many blocks size bytes have.
func blocksOf(size int64) int64 { return (size + blockSize - 1) / blockSize }

// blockLength returns the length of block i of a file of size bytes.
func blockLength(i, size int64) int64 { return min(blockSize, size-i*blockSize) }

// buffers are for the bytes of blocks: each would be garbage once its block is in the file, or gone.
var buffers = sync.Pool{New: func() any { return new([blockSize]byte) }}

// newBuffer returns a buffer of blockSize bytes.
func newBuffer() []byte { return buffers.Get().(*[blockSize]byte)[:] }

// recycle takes a part of a buffer back, from its beginning. Nobody may use it any more.
func recycle(data []byte) { buffers.Put((*[blockSize]byte)(data[:blockSize])) }

// blockSet is a set of blocks.
type blockSet struct {
	words []uint64
	count int64
}

func (b *blockSet) has(i int64) bool {
	word := i / 64
	return word < int64(len(b.words)) && b.words[word]>>(i%64)&1 == 1
}

func (b *blockSet) add(i int64) {
	if b.has(i) {
		return
	}
	if need := int(i/64) + 1; need > len(b.words) {
		b.words = append(b.words, make([]uint64, need-len(b.words))...)
	}
	b.words[i/64] |= 1 << (i % 64)
	b.count++
}

// checksums remembers what each block was when it came first, because a block can be dropped and
// fetched again: what a reader got and what the SHA-256 passed must be the same bytes.
type checksums map[int64]*[checksumPage]uint32

const checksumPage = 1024

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// known reports whether block i has come.
func (c checksums) known(i int64) bool {
	page := c[i/checksumPage]
	return page != nil && page[i%checksumPage] != 0
}

// same records the bytes of block i. It reports whether they are those that came before.
func (c checksums) same(i int64, data []byte) bool {
	page := c[i/checksumPage]
	if page == nil {
		page = new([checksumPage]uint32)
		c[i/checksumPage] = page
	}
	sum := max(crc32.Checksum(data, castagnoli), 1) // 0: the block has not come yet
	known := &page[i%checksumPage]
	if *known == 0 {
		*known = sum
	}
	return *known == sum
}

// piece is a part of a block that was given out.
type piece struct {
	off, length int64
	sum         uint32
}

// piecesIn reports whether the bytes of block i have all pieces that were given out of it.
func (s *Source) piecesIn(i int64, data []byte) bool {
	return !slices.ContainsFunc(s.pieces[i], func(p piece) bool {
		return crc32.Checksum(data[p.off-i*blockSize:][:p.length], castagnoli) != p.sum
	})
}
