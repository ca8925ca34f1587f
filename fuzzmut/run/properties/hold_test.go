package properties

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/instrument/load/loadtest"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// right is code without a fault: each property that is proposed for it holds.
const right = `
// A Level is read from its name.
type Level int

func (l Level) String() string { return []string{"low", "high"}[l&1] }

func ParseLevel(s string) (Level, error) {
	switch s {
	case "low":
		return 0, nil
	case "high":
		return 1, nil
	}
	return 0, errors.New("no level")
}

func Plus(a, b int) int { return a + b }

func Product(a, b int) int { return a * b }

func Minus(a, b int) int { return a - b }

func Negate(n int) int { return -n }

func MustParseLevel(s string) Level {
	l, err := ParseLevel(s)
	if err != nil {
		panic(err)
	}
	return l
}

func ValidLevel(s string) bool { return s == "low" || s == "high" }

func EncodeName(s string) []byte          { return append([]byte{'n'}, s...) }
func DecodeName(b []byte) (string, error) { return string(bytes.TrimPrefix(b, []byte("n"))), nil }

func CleanPath(s string) string { return strings.Trim(s, "/") }

func CompareNames(a, b string) int { return strings.Compare(a, b) }

func Compare(a, b string) int { return strings.Compare(a, b) }
func Less(a, b string) bool   { return a < b }
func Equal(a, b string) bool  { return a == b }

func Words(s string) int      { return len(strings.Fields(s)) }
func WordsBytes(b []byte) int { return len(bytes.Fields(b)) }

// A Point has what it was made of.
type Point struct{ x, y int }

func NewPoint(x, y int) *Point { return &Point{x, y} }
func (p *Point) X() int        { return p.x }
func (p *Point) GetY() int     { return p.y }

func FormatFlag(on bool) string              { return fmt.Sprint(on) }
func AppendFlag(b []byte, on bool) []byte    { return fmt.Append(b, on) }

// A Packet is a number of bytes, and these.
type Packet struct{ data []byte }

func (p *Packet) Unmarshal(b []byte) error {
	if len(b) == 0 || int(b[0]) != len(b)-1 {
		return errors.New("wrong length")
	}
	p.data = append([]byte(nil), b[1:]...)
	return nil
}

func (p *Packet) Marshal() ([]byte, error) { return append([]byte{byte(len(p.data))}, p.data...), nil }
func (p *Packet) MarshalSize() int         { return 1 + len(p.data) }

func (p *Packet) MarshalTo(b []byte) (int, error) {
	if len(b) < 1+len(p.data) {
		return 0, errors.New("too short")
	}
	b[0] = byte(len(p.data))
	return 1 + copy(b[1:], p.data), nil
}

func Marshal(v interface{}) ([]byte, error) {
	switch v := v.(type) {
	case string:
		return []byte("s" + v), nil
	case bool:
		return []byte("b"), nil
	}
	return nil, errors.New("unknown type")
}

func Unmarshal(data []byte, v interface{}) error {
	to, ok := v.(*interface{})
	if !ok || len(data) == 0 {
		return errors.New("no value")
	}
	if data[0] == 'b' {
		*to = true
	} else {
		*to = string(data[1:])
	}
	return nil
}

var calls int

func Sum(b []byte) (n int) {
	for _, c := range b {
		n += int(c)
	}
	return n
}

func Hex(dst, src []byte) int { return copy(dst, src) }

func Size(s string) (int, error) {
	if s == "" {
		return 0, errors.New("empty")
	}
	return len(s), nil
}

func IndexComma(s string) int { return strings.Index(s, ",") }
func CountCommas(s string) int { return strings.Count(s, ",") }
`

// cyclic is the body of a Less that is no order.
const cyclic = `return a == "a" && b == "b" || a == "b" && b == "c" || a == "x"`

// faults are changes of right.
var faults = []fault{
	{"FuzzParseLevelRoundTrip", `"low", "high"}[l`, `"low", "High"}[l`, `"high"`, `ParseLevel("high") is written as "High"`},
	{"FuzzMarshalRoundTrip", `"s" + v`, `"s" + v[:len(v)/2]`, `[]byte("sab")`, `"sab" is written as "sa"`},
	{"FuzzPacketMarshalRoundTrip", "int(b[0]) != len(b)-1", "int(b[0]) > len(b)-1", `[]byte("\x00a")`, `"\x00a" is written as "\x01a"`},
	{"FuzzPacketMarshalSizeAgreesWithMarshal", "return 1 + len(p.data) }", "return len(p.data) }", `[]byte("\x01a")`, `MarshalSize = 1, and Marshal returns 2 bytes`},
	{"FuzzPacketMarshalToAgreesWithMarshal", "b[0] = byte(len(p.data))", "b[0] = 1", `[]byte("\x00")`, `MarshalTo writes "\x01", and Marshal returns "\x00"`},
	{"FuzzMustParseLevelAgreesWithParseLevel", "panic(err)", "return 1", `"x"`, `MustParseLevel("x") panics with <nil>; ParseLevel returns the error no level`},
	{"FuzzValidLevelAgreesWithParseLevel", ` || s == "high" }`, " }", `"high"`, `ValidLevel("high"): false; ParseLevel: error <nil>`},
	{"FuzzEncodeNameRoundTrip", "append([]byte{'n'}, s...)", "[]byte(s)", `"name"`, `DecodeName of EncodeName("name") = "ame"`},
	{"FuzzCleanPathTwice", `strings.Trim(s, "/")`, `strings.TrimPrefix(s, "/")`, `"//a"`, `CleanPath("//a") = "/a", and of that "a"`},
	{
		"FuzzCompareAntisymmetric", "Compare(a, b string) int { return strings.Compare(a, b) }\nfunc Less", "Compare(a, b string) int { if a == b { return 0 }; return 1 }\nfunc Less", `"a", "b"`,
		`Compare of "a" and "b" is 1, and the other way round 1`,
	},
	{"FuzzLessStrict", "return a < b", cyclic, `"x", "y"`, `Less: "x" is less than itself`},
	{"FuzzEqualSymmetric", "return a == b", "return strings.HasPrefix(a, b)", `"ab", "a"`, `Equal of "ab" and "a" is not the same the other way round`},
	{"FuzzLessTransitive", "return a < b", cyclic, `"a", "b", "c"`, `Less: "a" < "b" < "c", but the first is not less than the last`},
	{"FuzzEqualAgreesWithCompare", "return a == b", "return strings.HasPrefix(a, b)", `"ab", "a"`, `Equal of "ab" and "a" is true, Compare 1`},
	{"FuzzProductCommutes", "return a * b", "return a * a", "1, 2", `Product(1, 2) = 1, and the other way round 4`},
	{"FuzzPlusTakenBack", "return a - b", "return b - a", "1, 2", `Minus of Plus(1, 2) = -1`},
	{"FuzzNegateTakesBack", "return -n", "return n + 1", "1", `Negate of Negate(1) = 3`},
	{"FuzzWordsAgreesWithWordsBytes", "len(bytes.Fields(b))", "len(bytes.Split(b, nil))", `"two words"`, `Words("two words") = 2; WordsBytes: 9`},
	{"FuzzNewPointGivesGetY", "return p.y", "return p.x", "1, 2", "NewPoint(1, 2).GetY() = 1"},
	{"FuzzAppendFlagAgreesWithFormatFlag", "fmt.Append(b, on)", "fmt.Append(nil, on)", "true", `FormatFlag(true) = "true"; AppendFlag with "> " before it: "true"`},
	{"FuzzSumRepeated", "return n\n", "calls += 100; return n + calls\n", `[]byte("\x01")`, `Sum("\x00") = 101; again: 200`},
	{"FuzzSumUntouched", "for _, c := range b {", "for i, c := range b { b[i] = 0", `[]byte("ab")`, `Sum("\x00\x00") changes its argument, which was "ab"`},
	{"FuzzHexUntouched", "copy(dst, src)", "copy(src, dst)", `[]byte("ab"), []byte("cd")`, `Hex("ab", "ab") changes its argument, which was "cd"`},
	{"FuzzSizeZeroOnError", `return 0, errors.New("empty")`, `return 7, errors.New("empty")`, `""`, `Size("") = 7, with the error empty`},
	{"FuzzIndexCommaBounds", `return strings.Index(s, ",")`, `return len(s) + 1`, `"ab"`, `IndexComma("ab") = 3`},
	{"FuzzCountCommasBounds", `return strings.Count(s, ",")`, `return strings.Index(s, ",")`, `"ab"`, `CountCommas("ab") = -1`},
}

// Each property holds of the code that is right, and says what is wrong of the code with the
// fault.
func TestPropertiesTellRightFromWrong(t *testing.T) { tellRightFromWrong(t, right, faults) }

// fault is a change of right code, a property that does not hold then, an input of its fuzz test, and
// what that says. Without an input those do that a fuzz test begins with.
type fault struct{ property, old, new, seed, want string }

func tellRightFromWrong(t *testing.T, right string, faults []fault) {
	t.Helper()
	r := loadtest.Typed(t, right, "")
	code := string(r.Packages[0].Files[0].Src)
	var parts []target.Part
	held := make(map[string]bool)
	for _, family := range Find(r) {
		for _, p := range family {
			var seeds []string
			for _, f := range faults {
				if p.Plain == f.property && f.seed == "" {
					seeds = p.Seeds
				} else if p.Plain == f.property && !slices.Contains(seeds, f.seed) {
					seeds = append(seeds, f.seed)
				}
			}
			part, err := p.Source(p.Name, seeds)
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts, part)
			held[p.Name] = true
		}
	}
	tests, err := target.Join("m", "", parts...)
	if err != nil {
		t.Fatal(err)
	}
	wrong := code
	for _, f := range faults {
		if !held[f.property] {
			t.Errorf("%s is not proposed", f.property)
		}
		if !strings.Contains(code, f.old) {
			t.Errorf("there is no %s", f.old)
		}
		wrong = strings.Replace(wrong, f.old, f.new, 1)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.26\n", "right/m.go": code, "wrong/m.go": wrong, "right/m_test.go": string(tests), "wrong/m_test.go": string(tests),
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	output := goTest(t, dir)
	var failed []string
	for name := range held {
		if output["right."+name].action != "pass" {
			failed = append(failed, name+": "+output["right."+name].action+output["right."+name].text)
		}
	}
	slices.Sort(failed)
	if diff := cmp.Diff([]string(nil), failed); diff != "" {
		t.Errorf("properties of right code that do not pass (-want +got):\n%s", diff)
	}
	for _, f := range faults {
		got := output["wrong."+f.property]
		if got.action != "fail" || !strings.Contains(got.text, ": "+f.want) {
			t.Errorf("%s with the fault %s: %s, want %s\n%s", f.property, f.new, got.action, f.want, got.text)
		}
	}
}

// outcome is what one fuzz test did: "pass" or "fail", and what it said.
type outcome struct{ action, text string }

// goTest runs the fuzz tests of a module with their seeds, as go test does; by the last element
// of the package's path and their name.
func goTest(t *testing.T, dir string) map[string]outcome {
	t.Helper()
	cmd := exec.Command("go", "test", "-json", "./...")
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, _ := cmd.Output() // code 1: the wrong ones fail
	all := make(map[string]outcome)
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		var event struct{ Action, Package, Test, Output string }
		if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
			t.Fatalf("%v: %s%s", err, lines.Bytes(), stderr.Bytes())
		}
		test, _, _ := strings.Cut(event.Test, "/")
		key := filepath.Base(event.Package) + "." + test
		got := all[key]
		got.text += event.Output
		if event.Action == "pass" || event.Action == "fail" {
			got.action = event.Action
		}
		all[key] = got
	}
	if len(all) < 4 {
		t.Fatalf("go test: %s%s", out, stderr.Bytes())
	}
	return all
}

// What a fuzz test declares does not stand for an argument in its message.
func TestMessagesShowArguments(t *testing.T) {
	r := loadtest.Typed(t, `
func ParseX(r string) (int, error) { return 0, nil }
func MustParseX(r string) int { return 0 }
func Clean(once string) string { return once }
func IndexX(got string) int { return 0 }
`, "")
	want := map[string]string{
		"FuzzMustParseXAgreesWithParseX": `", r, rArg, err)`,
		"FuzzCleanTwice":                 `", once, onceArg, twice)`,
		"FuzzIndexXBounds":               `", got, gotArg)`,
	}
	for name, text := range sources(t, r) {
		name = strings.TrimSuffix(strings.TrimPrefix(name, "/m/"), "_test.go")
		if w, ok := want[name]; ok && !strings.Contains(string(text), w) {
			t.Errorf("%s has no %s:\n%s", name, w, text)
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("not proposed: %v", want)
	}
}
