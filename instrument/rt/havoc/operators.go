package havoc

// An operator changes the bytes under change. run reports false if the operator does
// not apply to them; it may have drawn random numbers then, but has changed nothing
// that another operator couldn't have.
type operator struct {
	name string
	// Shares of the draws, for binary and for text inputs. Each column adds up to
	// tableSize.
	binary, text int
	run          func(*Mutator) bool
}

const (
	tableBits = 8
	tableSize = 1 << tableBits
)

// operators is never changed.
var operators = [...]operator{
	{"flip-bit", 16, 6, flipBit},
	{"flip-byte", 12, 3, flipByte},
	{"set-byte", 18, 17, setByte},
	{"add-byte", 14, 6, addByte},
	{"add-integer", 14, 1, addInteger},
	{"set-integer", 16, 1, setInteger},
	{"set-length", 8, 0, setLength},
	{"copy-integer", 6, 0, copyInteger},
	{"swap-bytes", 5, 6, swapBytes},
	{"insert-byte", 12, 15, insertByte},
	{"delete-byte", 10, 12, deleteByte},
	{"insert-bytes", 8, 6, insertBytes},
	{"insert-run", 6, 3, insertRun},
	{"fill-block", 4, 2, fillBlock},
	{"scramble-block", 4, 3, scrambleBlock},
	{"delete-block", 14, 12, deleteBlock},
	{"cut-end", 5, 5, cutEnd},
	{"cut-start", 2, 3, cutStart},
	{"repeat-block", 6, 7, repeatBlock},
	{"copy-block", 10, 10, copyBlock},
	{"overwrite-block", 10, 6, overwriteBlock},
	{"move-block", 4, 4, moveBlock},
	{"swap-blocks", 4, 4, swapBlocks},
	{"double", 1, 1, double},
	{"insert-token", 10, 12, insertToken},
	{"overwrite-token", 10, 5, overwriteToken},
	{"substitute-token", 2, 9, substituteToken},
	{"splice", 5, 5, splice},
	{"insert-from-other", 6, 6, insertFromOther},
	{"overwrite-from-other", 6, 2, overwriteFromOther},
	{"replace-from-other", 3, 3, replaceFromOther},
	{"token-from-other", 1, 8, tokenFromOther},
	{"change-number", 2, 12, changeNumber},
	{"insert-number", 0, 3, insertNumber},
	{"change-case", 0, 5, changeCase},
	{"delete-tokens", 0, 7, deleteTokens},
	{"copy-tokens", 0, 8, copyTokens},
	{"copy-over-token", 0, 6, copyOverToken},
	{"swap-tokens", 0, 4, swapTokens},
	{"delete-line", 0, 2, deleteLine},
	{"copy-line", 0, 2, copyLine},
	{"move-line", 0, 1, moveLine},
	{"insert-rune", 0, 2, insertRune},
	{"replace-rune", 0, 2, replaceRune},
	{"insert-escape", 0, 2, insertEscape},
	{"delete-group", 1, 3, deleteGroup},
	{"empty-group", 0, 2, emptyGroup},
	{"unwrap-group", 0, 2, unwrapGroup},
	{"repeat-group", 0, 2, repeatGroup},
	{"copy-group", 0, 3, copyGroup},
	{"nest-group", 0, 2, nestGroup},
	{"wrap", 1, 3, wrap},
}

var binaryTable, textTable = tables()

// tables spreads the operators over all values of tableBits random bits.
func tables() (binary, text [tableSize]uint8) {
	b, t := 0, 0
	for i, op := range operators {
		for range op.binary {
			binary[b] = uint8(i)
			b++
		}
		for range op.text {
			text[t] = uint8(i)
			t++
		}
	}
	return binary, text
}
