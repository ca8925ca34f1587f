package codes

import "testing"

func TestCodesFitTheirDigit(t *testing.T) {
	for name, most := range map[string]int{
		"arithmetic": Exchanged, "comparison": Lookup, "boolean": MadeFalse, "constant": Minus,
		"move": Away, "integer type": Uint64, "kind": Text,
	} {
		if most > Mask {
			t.Errorf("%s: code %d takes more than %d bits", name, most, Bits)
		}
	}
}

func TestDescribe(t *testing.T) {
	tests := []struct {
		number, kind, op int
		left, right      bool
		want             uint64
	}{
		{0, Unknown, Less, false, false, 0x1},
		{300, Signed, Less, false, true, 300<<12 | 0x121},
		{1, Text, Lookup, true, false, 0x141d},
		{1 << 20, Float, NotEqual, true, true, 1<<32 | 0x336},
	}
	for _, tt := range tests {
		if got := Describe(tt.number, tt.kind, tt.op, tt.left, tt.right); got != tt.want {
			t.Errorf("Describe(%d, %d, %d, %t, %t) = %#x, want %#x", tt.number, tt.kind, tt.op, tt.left, tt.right, got, tt.want)
		}
	}
}
