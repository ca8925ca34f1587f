package replay

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/corpus"
)

// target is a fuzz target of all types that there are.
func target(*testing.T, []byte, string, bool, byte, rune, float32, float64, int, int8, int16, int64, uint, uint16, uint32, uint64) {
}

// entries are such that each kind of conversion is among them.
var entries = [][]any{
	{
		[]byte("a\x00\xff\n"), "é\u2028\"`", true, byte('\''), '\n', float32(0.1), math.Inf(-1),
		-1, int8(-128), int16(7), int64(math.MinInt64), uint(1), uint16(2), uint32(3), uint64(math.MaxUint64),
	},
	{
		[]byte{},
		"", false, byte(200), rune(0xd800), float32(math.NaN()), math.NaN(),
		math.MaxInt, int8(1), int16(-1), int64(1), uint(0), uint16(0), uint32(0), uint64(0),
	},
	{
		[]byte("x"), "y", false, byte(0), rune(-5), math.Float32frombits(0x7fc00001), math.Float64frombits(0x7ff8000000000002),
		0, int8(0), int16(0), int64(0), uint(0), uint16(0), uint32(0), uint64(0),
	},
}

// Entries are read and named as package corpus does.
func TestEntries(t *testing.T) {
	for _, vals := range entries {
		data := corpus.Marshal(vals)
		if got, want := keyOf(vals), corpus.FileName(data); got != want {
			t.Errorf("keyOf(%v) = %s, want %s", vals, got, want)
		}
		path := filepath.Join(t.TempDir(), "entry")
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		args, err := arguments(path, reflect.TypeOf(target))
		if err != nil {
			t.Error(err)
			continue
		}
		if diff := cmp.Diff(string(data), string(corpus.Marshal(args))); diff != "" {
			t.Errorf("read as other values (-want +got):\n%s", diff)
		}
	}
}

func TestEntriesOfOtherSpelling(t *testing.T) {
	fn := reflect.TypeOf(func(*testing.T, []byte, byte, rune, int) {})
	path := filepath.Join(t.TempDir(), "entry")
	if err := os.WriteFile(path, []byte("go test fuzz v1\r\n[]uint8(`a\\`)\r\nuint8(0x41)\r\nint32('b')\r\nint(-0b11)\r\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	args, err := arguments(path, fn)
	if diff := cmp.Diff([]any{[]byte(`a\`), byte('A'), 'b', -3}, args); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestEntriesThatDoNotFit(t *testing.T) {
	fn := reflect.TypeOf(func(*testing.T, string, int8) {})
	for _, text := range []string{
		"go test fuzz v1\nstring(\"a\")\n",
		"go test fuzz v1\nstring(\"a\")\nint8(1)\nint8(1)\n",
		"go test fuzz v1\nstring(\"a\")\nint(1)\n",
		"go test fuzz v1\nstring(\"a\")\nint8(200)\n",
		"go test fuzz v1\nstring(a)\nint8(1)\n",
	} {
		path := filepath.Join(t.TempDir(), "entry")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if args, err := arguments(path, fn); err == nil {
			t.Errorf("%q is read as %v", text, args)
		}
	}
}

func TestDifference(t *testing.T) {
	for _, test := range []struct{ want, got, text string }{
		{"int 1", "int 2", "- int 1\n+ int 2"},
		{"{\n\ta: 1\n\tb: 2\n}", "{\n\ta: 1\n\tb: 3\n}", "  ... 2 lines\n- \tb: 2\n+ \tb: 3\n  ... 1 lines"},
		{"a\nb", "a\nb\nc", "  ... 2 lines\n+ c"},
	} {
		if diff := cmp.Diff(test.text, difference(test.want, test.got)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}
