package study

import (
	"fmt"
	"slices"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
)

// asking is a Matcher that returns what it is asked for, as text.
type asking struct{}

func (asking) MatchNumber(_ []byte, from, to uint64, _ int) [][]byte {
	return [][]byte{fmt.Appendf(nil, "%d=%d", int64(from), int64(to))}
}

func (asking) MatchText(_ []byte, from, to string, _ int) [][]byte {
	return [][]byte{fmt.Appendf(nil, "%q=%q", from, to)}
}

func TestPlanForValues(t *testing.T) {
	number := func(op uint8, held bool, x, y int64, xConst, yConst bool) Comparison {
		return Comparison{Operands: fuzzmutrt.Operands{
			Site: 1, Op: op, Held: held, Kind: codes.Signed, Width: 8, X: uint64(x), Y: uint64(y), XConst: xConst, YConst: yConst,
		}}
	}
	text := Comparison{Operands: fuzzmutrt.Operands{Site: 1, Op: codes.Equal, Kind: codes.Text, XText: "a", YText: "key", YConst: true}, XLen: 1, YLen: 3}
	cut := text
	cut.YLen = 300
	tests := []struct {
		name string
		c    Comparison
		want []string
	}{
		{"with a constant", number(codes.Equal, false, -1, 7, false, true), []string{"-1=7"}},
		{"of two that are computed", number(codes.Equal, false, 3, 9, false, false), []string{"3=9", "9=3"}},
		{"past a limit", number(codes.Less, false, 9, 5, false, true), []string{"9=4", "9=5", "9=6"}},
		{"of constants", number(codes.Equal, false, 1, 2, true, true), nil},
		{"of texts", text, []string{`"a"="key"`}},
		{"of texts that are not all known", cut, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			list := []Comparison{tt.c, tt.c}
			goals := NewGoals()
			goals.See(list)
			var got []string
			for _, e := range PlanValues([]byte("data"), list, goals, func(uint32) bool { return false }, asking{}) {
				got = append(got, string(e.Apply([]any{[]byte("data")})[0].([]byte)))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q", got)
			}
			other := tt.c
			other.Held = !other.Held
			goals.See([]Comparison{other})
			if edits := PlanValues([]byte("data"), list, goals, func(uint32) bool { return false }, asking{}); len(edits) > 0 {
				t.Errorf("it came out in both ways, and still: %v", edits)
			}
		})
	}
}
