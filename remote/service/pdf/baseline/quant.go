package baseline

// side of a block; area of it.
const (
	side = 8
	area = side * side
)

// zigzag has the index in a block, by rows, of the i-th written coefficient
// (T.81, figure A.6).
var zigzag = [area]uint8{
	0, 1, 8, 16, 9, 2, 3, 10,
	17, 24, 32, 25, 18, 11, 4, 5,
	12, 19, 26, 33, 40, 48, 41, 34,
	27, 20, 13, 6, 7, 14, 21, 28,
	35, 42, 49, 56, 57, 50, 43, 36,
	29, 22, 15, 23, 30, 37, 44, 51,
	58, 59, 52, 45, 38, 31, 39, 46,
	53, 60, 61, 54, 47, 55, 62, 63,
}

// quant has the steps of T.81, K.1, for brightness and for colours, by rows.
var quant = [2][area]int{
	{
		16, 11, 10, 16, 24, 40, 51, 61,
		12, 12, 14, 19, 26, 58, 60, 55,
		14, 13, 16, 24, 40, 57, 69, 56,
		14, 17, 22, 29, 51, 87, 80, 62,
		18, 22, 37, 56, 68, 109, 103, 77,
		24, 35, 55, 64, 81, 104, 113, 92,
		49, 64, 78, 87, 103, 121, 120, 101,
		72, 92, 95, 98, 112, 100, 103, 99,
	},
	{
		17, 18, 24, 47, 99, 99, 99, 99,
		18, 21, 26, 66, 99, 99, 99, 99,
		24, 26, 56, 99, 99, 99, 99, 99,
		47, 66, 99, 99, 99, 99, 99, 99,
		99, 99, 99, 99, 99, 99, 99, 99,
		99, 99, 99, 99, 99, 99, 99, 99,
		99, 99, 99, 99, 99, 99, 99, 99,
		99, 99, 99, 99, 99, 99, 99, 99,
	},
}

// quantSteps returns a table's steps for a quality, in the order of writing.
func quantSteps(table, quality int) (steps [area]byte) {
	percent := 200 - 2*quality
	if quality < 50 {
		percent = 5000 / quality
	}
	for i, at := range zigzag {
		steps[i] = byte(min(max((quant[table][at]*percent+50)/100, 1), 255))
	}
	return steps
}

// scale has the factors, by rows, that turn the transform's results into multiples
// of the steps.
type scale [area]float32

// aan are the factors that the transform leaves in each row and column (Arai,
// Agui and Nakajima: a fast DCT-SQ scheme for images, 1988).
var aan = [side]float64{1, 1.387039845, 1.306562965, 1.175875602, 1, 0.785694958, 0.541196100, 0.275899379}

func newScale(steps [area]byte) *scale {
	s := &scale{}
	for i, at := range zigzag {
		s[at] = float32(1 / (float64(steps[i]) * aan[at/side] * aan[at%side] * side))
	}
	return s
}
