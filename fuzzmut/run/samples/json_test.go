package samples

import (
	"encoding/json"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
)

// A row that was written and read makes the inputs that it made before, of all types of arguments.
func TestRowsAsJSONMakeTheSameInputs(t *testing.T) {
	rows := OfFile([]byte(`package p
var _ = f("a\xff\x00", true, 1, -200, 1.5, 1e400, 123456789012345678901234567890, 'x', 2i, "", 0x1p-1074, -0.1)
var _ = []string{"one", "two"}`))
	if len(rows) < 2 {
		t.Fatalf("%d rows", len(rows))
	}
	text, err := json.Marshal(rows)
	if err != nil {
		t.Fatal(err)
	}
	var again []Row
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	for _, types := range [][]string{{"string"}, {"[]byte"}, {"bool"}, {"int"}, {"int8"}, {"uint64"}, {"float64"}, {"float32"}, {"int32"}, {"string", "bool", "int"}, {"string", "string"}} {
		var zero []any
		for _, typ := range types {
			zero = append(zero, map[string]any{
				"string": "", "[]byte": []byte{}, "bool": false, "int": 0, "int8": int8(0), "uint64": uint64(0), "float64": 0.0, "float32": float32(0), "int32": int32(0),
			}[typ])
		}
		want, got := Inputs(rows, types, corpus.Of(zero...)), Inputs(again, types, corpus.Of(zero...))
		if len(want) != len(got) {
			t.Errorf("%v: %d inputs, want %d", types, len(got), len(want))
			continue
		}
		for i := range want {
			if !want[i].Equal(got[i]) {
				t.Errorf("%v: got %s, want %s", types, got[i].Encode(), want[i].Encode())
			}
		}
	}
	for _, wrong := range []string{`[{"int": "1x"}]`, `[{"int": "-"}]`, `[{"text": 1}]`, `{}`} {
		var r Row
		if json.Unmarshal([]byte(wrong), &r) == nil {
			t.Errorf("%s is read", wrong)
		}
	}
}
