#include "textflag.h"

// func copyUnescaped(dst, src []byte) (read, written int)
//
// Only SSE2 is used, which all amd64 processors have. A block is 32 bytes.
TEXT ·copyUnescaped(SB), NOSPLIT, $0-64
	MOVQ dst_base+0(FP), DI
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), CX
	MOVQ SI, R8
	MOVQ DI, R9
	LEAQ -34(SI)(CX*1), R10    // the last begin of a block whose last byte begins a whole escape
	MOVQ $0x2f2f2f2f2f2f2f2f, AX
	MOVQ AX, X5
	PUNPCKLQDQ X5, X5          // the least digit, /

next:
	CMPQ SI, R10
	JGT  done

block:
	MOVOU (SI), X1
	MOVOU 16(SI), X2
	MOVOU X1, (DI)             // what follows an escape is written again
	MOVOU X2, 16(DI)
	MOVOA X5, X3
	MOVOA X5, X4
	PCMPGTB X1, X3             // bytes from 0x80 on count as negative
	PCMPGTB X2, X4
	PMOVMSKB X3, AX
	PMOVMSKB X4, BX
	SHLL $16, BX
	ORL  BX, AX                // a bit for each byte below /: + and %, but also & and line ends
	JNZ  special
	ADDQ $32, SI
	ADDQ $32, DI
	CMPQ SI, R10
	JLE  block
	JMP  done

special:
	BSFL AX, AX
	ADDQ AX, SI
	ADDQ AX, DI
	CMPW (SI), $0x3225         // %2
	JNE  done
	MOVBLZX 2(SI), AX
	MOVL AX, BX
	ANDL $0xdb, BX             // B, b, F and f are the same now
	CMPL BX, $0x42
	JNE  done
	ANDL $0xdf, AX             // B or F
	SUBL $0x17, AX             // + or /
	MOVB AX, (DI)
	ADDQ $3, SI
	INCQ DI
	JMP  next

done:
	SUBQ R8, SI
	SUBQ R9, DI
	MOVQ SI, read+48(FP)
	MOVQ DI, written+56(FP)
	RET

// func copyEscaped(dst, src []byte) (read, written int)
//
// Only SSE2 is used, which all amd64 processors have. A block is 32 bytes.
TEXT ·copyEscaped(SB), NOSPLIT, $0-64
	MOVQ dst_base+0(FP), DI
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), CX
	MOVQ SI, R8
	MOVQ DI, R9
	LEAQ -32(SI)(CX*1), R10    // the last begin of a block
	MOVQ $0x2b2b2b2b2b2b2b2b, AX
	MOVQ AX, X5
	PUNPCKLQDQ X5, X5          // +

next:
	CMPQ SI, R10
	JGT  done

block:
	MOVOU (SI), X1
	MOVOU 16(SI), X2
	MOVOU X1, (DI)             // what follows a + is written again
	MOVOU X2, 16(DI)
	PCMPEQB X5, X1
	PCMPEQB X5, X2
	PMOVMSKB X1, AX
	PMOVMSKB X2, BX
	SHLL $16, BX
	ORL  BX, AX                // a bit for each +
	JNZ  plus
	ADDQ $32, SI
	ADDQ $32, DI
	CMPQ SI, R10
	JLE  block
	JMP  done

plus:
	BSFL AX, AX
	MOVL $0x00423225, (DI)(AX*1)   // %2B
	LEAQ 1(SI)(AX*1), SI
	LEAQ 3(DI)(AX*1), DI
	JMP  next

done:
	SUBQ R8, SI
	SUBQ R9, DI
	MOVQ SI, read+48(FP)
	MOVQ DI, written+56(FP)
	RET
