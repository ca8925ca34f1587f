package properties

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/load/loadtest"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// proposed lists the properties of some kinds, "NAME of FUNCTIONS" each; those of a family in
// one line, the strongest first. A guess ends with "?".
func proposed(r *load.Result, kinds ...Kind) (list []string) {
	for _, family := range Find(r) {
		if !slices.Contains(kinds, family[0].Kind) {
			continue
		}
		var line []string
		for _, p := range family {
			text := strings.TrimPrefix(p.Name, "Fuzz") + " of " + strings.Join(p.Functions, ", ")
			if p.Guess {
				text += "?"
			}
			line = append(line, text)
		}
		list = append(list, strings.Join(line, " > "))
	}
	return list
}

// sources are the fuzz tests of all properties, a file each.
func sources(t *testing.T, r *load.Result) map[string][]byte {
	t.Helper()
	files := make(map[string][]byte)
	for _, family := range Find(r) {
		for _, p := range family {
			part, err := p.Source(p.Name, p.Seeds)
			if err != nil {
				t.Fatal(err)
			}
			if files["/m/"+p.Name+"_test.go"], err = target.Join("m", "", part); err != nil {
				t.Fatal(err)
			}
		}
	}
	return files
}

// compiles says what does not compile of all that is proposed.
func compiles(t *testing.T, r *load.Result) {
	t.Helper()
	for name, text := range sources(t, r) {
		if err := loadtest.Compile(r, name, text); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
	}
}

// shape is a package, and what is proposed for it.
type shape struct {
	name, code string
	want       []string
}

// propose compares what is proposed for shapes, and has the compiler look at it.
func propose(t *testing.T, shapes []shape, kinds ...Kind) {
	t.Helper()
	for _, c := range shapes {
		t.Run(c.name, func(t *testing.T) {
			r := loadtest.Typed(t, c.code, "")
			if diff := cmp.Diff(c.want, proposed(r, kinds...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			compiles(t, r)
		})
	}
}

// text is a type that is read from text and shown as text, without a body.
const text = `
type Point struct{ x, y int }
func (p *Point) String() string { return "" }
`

func TestTextsThatAreReadAgain(t *testing.T) {
	propose(t, []shape{
		{"a type and its text", text + `
func ParsePoint(s string) (*Point, error) { return nil, nil }
`, []string{"ParsePointRoundTrip of ParsePoint, (*Point).String? > ParsePointRoundTrip_2 of ParsePoint, (*Point).String > ParsePointRoundTrip_3 of ParsePoint, (*Point).String > ParsePointRoundTrip_4 of ParsePoint, (*Point).String"}},
		{"with a bool in place of an error, nothing can be said of what is read alone", `
type Level int
func (l Level) String() string { return "" }
func ParseLevel(s string) (Level, bool) { return 0, false }
`, []string{"ParseLevelRoundTrip of ParseLevel, Level.String? > ParseLevelRoundTrip_2 of ParseLevel, Level.String"}},
		{"by an own Equal", `
type Level struct{ N int }
func (l Level) String() string { return "" }
func (l Level) Equal(other Level) bool { return false }
func NewLevel(s string) Level { return Level{} }
`, []string{"NewLevelRoundTrip of NewLevel, Level.String? > NewLevelRoundTrip_2 of NewLevel, Level.String > NewLevelRoundTrip_3 of NewLevel, Level.String > NewLevelRoundTrip_4 of NewLevel, Level.String"}},
		{"an Equal that takes another type compares nothing", `
type Level struct{ N int }
func (l Level) String() string { return "" }
func (l Level) Equal(other int) bool { return false }
func ParseLevel(s string) (Level, error) { return Level{}, nil }
`, []string{"ParseLevelRoundTrip of ParseLevel, Level.String? > ParseLevelRoundTrip_2 of ParseLevel, Level.String > ParseLevelRoundTrip_3 of ParseLevel, Level.String > ParseLevelRoundTrip_4 of ParseLevel, Level.String"}},
		{"with a base", text + `
func ParsePoint(s string, base int) (*Point, error) { return nil, nil }
`, []string{"ParsePointRoundTrip of ParsePoint, (*Point).String? > ParsePointRoundTrip_2 of ParsePoint, (*Point).String > ParsePointRoundTrip_3 of ParsePoint, (*Point).String > ParsePointRoundTrip_4 of ParsePoint, (*Point).String"}},
		{"bytes that are no text", `
type Level struct{ N int }
func (l Level) String() string { return "" }
func FromBytesOrZero(b []byte) Level { return Level{} }
`, nil},
		{"two texts", text + `func ParsePoint(s, layout string) (*Point, error) { return nil, nil }`, nil},
		{"a type that holds functions is not compared but by its text", `
type Point struct{ F func() }
func (p Point) String() string { return "" }
func ParsePoint(s string) (Point, error) { return Point{}, nil }
`, []string{"ParsePointRoundTrip of ParsePoint, Point.String? > ParsePointRoundTrip_2 of ParsePoint, Point.String > ParsePointRoundTrip_3 of ParsePoint, Point.String"}},
		{"a String with an argument", `
type Point struct{ x int }
func (p *Point) String(base int) string { return "" }
func ParsePoint(s string) (*Point, error) { return nil, nil }
`, nil},
		{"not exported", text + `func parsePoint(s string) (*Point, error) { return nil, nil }`, nil},
		{"a result that is not exported", `
type point struct{ x int }
func (p *point) String() string { return "" }
func ParsePoint(s string) (*point, error) { return nil, nil }
`, nil},
		{"a generic type", `
type Box[T any] struct{ V T }
func (b Box[T]) String() string { return "" }
func ParseBox(s string) (Box[int], error) { return Box[int]{}, nil }
func ParseAny[T any](s string) (Box[T], error) { return Box[T]{}, nil }
`, nil},
		{"variadic", text + `func ParsePoint(s string, more ...string) (*Point, error) { return nil, nil }`, nil},
		{"a type of another package", `func ParseDuration(s string) (time.Duration, error) { return 0, nil }`, nil},
		{"what acts outside the process", text + `func ParsePoint(s string) (*Point, error) { return nil, os.Remove(s) }`, nil},
		{"what must not fail", text + `func MustParsePoint(s string) *Point { return nil }`, nil},
		{"what panics with an error of another", text + `func readPoint(s string) (*Point, error) { return nil, nil }
func RequirePoint(s string) *Point {
	p, err := readPoint(s)
	if err != nil {
		panic(err)
	}
	return p
}
`, nil},
		{"other bytes than those of the text", text + `func NewPointBytes(b []byte) *Point { return nil }`, nil},
	}, RoundTrip)
}

func TestCodesThatAreReadAgain(t *testing.T) {
	propose(t, []shape{
		{"two functions", `
func EncodeName(s string) []byte { return nil }
func DecodeName(b []byte) (string, error) { return "", nil }
`, []string{"EncodeNameRoundTrip of EncodeName, DecodeName"}},
		{"a text that is bytes on the way back", `
func Quote(s string) string { return s }
func Unquote(b []byte) (string, bool) { return "", false }
`, []string{"QuoteRoundTrip of Quote, Unquote"}},
		{"values of any type, with options", `
func Marshal(v interface{}, options ...int) ([]byte, error) { return nil, nil }
func Unmarshal(data []byte, v interface{}) error { return nil }
`, []string{
			"MarshalRoundTrip of Marshal, Unmarshal? > MarshalRoundTrip_2 of Marshal, Unmarshal? > MarshalRoundTrip_3 of Marshal, Unmarshal > MarshalRoundTrip_4 of Marshal, Unmarshal",
			"MarshalMapRoundTrip of Marshal, Unmarshal? > MarshalMapRoundTrip_2 of Marshal, Unmarshal? > MarshalMapRoundTrip_3 of Marshal, Unmarshal > MarshalMapRoundTrip_4 of Marshal, Unmarshal",
		}},
		{"a text, and a number with the error", `
func Encode(v interface{}) (string, error) { return "", nil }
func Decode(s string, v interface{}) (int, error) { return 0, nil }
`, []string{
			"EncodeRoundTrip of Encode, Decode? > EncodeRoundTrip_2 of Encode, Decode? > EncodeRoundTrip_3 of Encode, Decode > EncodeRoundTrip_4 of Encode, Decode",
			"EncodeMapRoundTrip of Encode, Decode? > EncodeMapRoundTrip_2 of Encode, Decode? > EncodeMapRoundTrip_3 of Encode, Decode > EncodeMapRoundTrip_4 of Encode, Decode",
		}},
		{"a struct that only the second function makes", `
type Item struct{ Names []string }
func Marshal(v Item) ([]byte, error) { return nil, nil }
func Unmarshal(b []byte) (Item, error) { return Item{}, nil }
`, []string{"MarshalRoundTrip of Marshal, Unmarshal"}},
		{"by the names of both; a fuzz test has no arrays", `
func HexToRGB(n uint32) [3]byte { return [3]byte{} }
func RGBToHex(c [3]byte) uint32 { return 0 }
`, []string{"HexToRGBRoundTrip of HexToRGB, RGBToHex"}},
		{"the other direction is of another type", `
func EncodeName(s string) []byte { return nil }
func DecodeName(b []byte) (int, error) { return 0, nil }
`, nil},
		{"two arguments", `
func Encode(s string, n int) []byte { return nil }
func Decode(b []byte) (string, error) { return "", nil }
`, nil},
		{"no result but an error", `
func Encode(s string) error { return nil }
func Decode(s string) error { return nil }
`, nil},
		{"values that a fuzz test does not have begin with the text", `
type Graph struct{ edges map[int][]int }
func FormatGraph(g *Graph) string { return "" }
func ParseGraph(s string) (*Graph, error) { return nil, nil }
`, []string{"FormatGraphRoundTrip of FormatGraph, ParseGraph"}},
		{"methods of a value", `
type ID [4]byte
func (id ID) MarshalText() ([]byte, error) { return nil, nil }
func (id *ID) UnmarshalText(b []byte) error { return nil }
`, []string{"IDMarshalTextRoundTrip of ID.MarshalText, (*ID).UnmarshalText? > IDMarshalTextRoundTrip_2 of ID.MarshalText, (*ID).UnmarshalText? > IDMarshalTextRoundTrip_3 of ID.MarshalText, (*ID).UnmarshalText > IDMarshalTextRoundTrip_4 of ID.MarshalText, (*ID).UnmarshalText"}},
		{"the value that sets is no pointer", `
type ID [4]byte
func (id ID) MarshalText() ([]byte, error) { return nil, nil }
func (id ID) UnmarshalText(b []byte) error { return nil }
`, nil},
		{"methods of what only a reader makes", `
type Tree struct{ names map[string][]int }
func NewTree() *Tree { return nil }
func (t *Tree) WriteToString() (string, error) { return "", nil }
func (t *Tree) ReadFromString(s string) (int, error) { return 0, nil }
`, []string{"TreeWriteToStringRoundTrip of (*Tree).WriteToString, (*Tree).ReadFromString? > TreeWriteToStringRoundTrip_2 of (*Tree).WriteToString, (*Tree).ReadFromString? > TreeWriteToStringRoundTrip_3 of (*Tree).WriteToString, (*Tree).ReadFromString > TreeWriteToStringRoundTrip_4 of (*Tree).WriteToString, (*Tree).ReadFromString"}},
	}, RoundTrip)
}

func TestResultsThatAreLeftAsTheyAre(t *testing.T) {
	propose(t, []shape{
		{"a text", `func Clean(path string) string { return path }`, []string{"CleanTwice of Clean"}},
		{"bytes with an error", `func CompactJSON(b []byte) ([]byte, error) { return b, nil }`, []string{"CompactJSONTwice of CompactJSON"}},
		{"a name that says that it changes its argument", `func CleanInPlace(b []byte) []byte { return b }`, []string{"CleanInPlaceTwice of CleanInPlace?"}},
		{"further arguments stay", `func TrimTo(s string, n int) (string, bool) { return s, true }`, []string{"TrimToTwice of TrimTo"}},
		{"a number", `func Abs(x float64) float64 { return x }`, []string{"AbsTwice of Abs"}},
		{"a method", `
type Path string
func (p Path) Clean() Path { return p }
`, []string{"PathCleanTwice of Path.Clean"}},
		{"a method of a struct, by each way to compare it", `
type Path struct{ Name string }
func (p Path) Normalize() Path { return p }
func (p Path) Equal(q Path) bool { return true }
func (p Path) String() string { return "" }
`, []string{"PathNormalizeTwice of Path.Normalize > PathNormalizeTwice_2 of Path.Normalize > PathNormalizeTwice_3 of Path.Normalize"}},
		{"another type", `func Clean(path string) []byte { return nil }`, nil},
		{"another name", `func Escape(s string) string { return s }`, nil},
		{"a further argument that is no number or text", `
type Options struct{ Depth int }
func Clean(path string, o Options) string { return path }
`, nil},
		{"no argument", `func Clean() string { return "" }`, nil},
		{"variadic", `func Clean(parts ...int) []int { return parts }`, nil},
		{"texts", `func Clean(parts ...string) []string { return parts }`, []string{"CleanTwice of Clean"}},
		{"generic", `func Clean[T any](v T) T { return v }`, nil},
		{"three results", `func Clean(s string) (string, int, error) { return s, 0, nil }`, nil},
	}, Idempotence)
}

func TestLawsOfOrders(t *testing.T) {
	propose(t, []shape{
		{"methods", `
type V struct{ N int }
func (v V) Compare(w V) int { return 0 }
func (v V) LessThan(w V) bool { return false }
func (v V) Equal(w V) bool { return true }
`, []string{"VCompareAntisymmetric of V.Compare", "VCompareTransitive of V.Compare", "VLessThanStrict of V.LessThan", "VLessThanTransitive of V.LessThan", "VEqualSymmetric of V.Equal"}},
		{"functions", `
func Cmp(a, b string) int { return 0 }
func Less(a, b string) bool { return false }
`, []string{"CmpAntisymmetric of Cmp", "CmpTransitive of Cmp", "LessStrict of Less", "LessTransitive of Less"}},
		{"functions of two types have each their own", `
func Less(a, b string) bool { return false }
func Equal(a, b []byte) bool { return false }
`, []string{"EqualSymmetric of Equal", "LessStrict of Less", "LessTransitive of Less"}},
		{"a pointer as receiver", `
type V struct{ N int }
func (v *V) Compare(w *V) int { return 0 }
`, []string{"VCompareAntisymmetric of (*V).Compare", "VCompareTransitive of (*V).Compare"}},
		{"a comparison with a number", `
type V struct{ N int }
func (v V) Compare(n int) int { return 0 }
`, nil},
		{"of two types", `func Less(a string, b []byte) bool { return false }`, nil},
		{"a result that is no bool", `func Less(a, b string) string { return "" }`, nil},
		{"more than true and false", `func Equal(a, b string) (bool, error) { return false, nil }`, nil},
		{"a Compare that only says whether they differ", `func Compare(a, b string) bool { return false }`, nil},
		{"three values", `func Less(a, b, c string) bool { return false }`, nil},
		{"values that hold functions", `func Less(a, b func()) bool { return false }`, nil},
	}, Order)
}

func TestAgreements(t *testing.T) {
	propose(t, []shape{
		{"of an order", `
type V struct{ N int }
func (v V) Cmp(w V) int { return 0 }
func (v V) Before(w V) bool { return false }
func (v V) After(w V) bool { return false }
func (v V) Equals(w V) bool { return true }
func (v V) LTE(w V) bool { return false }
func (v V) GTE(w V) bool { return false }
`, []string{"VBeforeAgreesWithCmp of V.Before, V.Cmp", "VAfterAgreesWithCmp of V.After, V.Cmp", "VEqualsAgreesWithCmp of V.Equals, V.Cmp", "VLTEAgreesWithCmp of V.LTE, V.Cmp", "VGTEAgreesWithCmp of V.GTE, V.Cmp"}},
		{"valid and read", text + `
func ValidPoint(s string) bool { return false }
func ParsePoint(s []byte) (*Point, error) { return nil, nil }
`, []string{"ValidPointAgreesWithParsePoint of ValidPoint, ParsePoint > ValidPointAgreesWithParsePoint_2 of ValidPoint, ParsePoint > ValidPointAgreesWithParsePoint_3 of ValidPoint, ParsePoint"}},
		{"an error in place of a bool", `
type ID int
func Check(s string) error { return nil }
func New(s string) (ID, error) { return 0, nil }
`, []string{"CheckAgreesWithNew of Check, New > CheckAgreesWithNew_2 of Check, New > CheckAgreesWithNew_3 of Check, New"}},
		{"valid for one thing, read as another", `
type ID int
type Point int
func ValidID(s string) bool { return false }
func ParsePoint(s string) (Point, error) { return 0, nil }
`, nil},
		{"Issue begins with no word of validity", `
func Issue(s string) bool { return false }
func ParseIssue(s string) (int, error) { return 0, nil }
`, nil},
		{"forms of the input", `
func Count(s string) int { return 0 }
func CountBytes(b []byte) int { return 0 }
func CountReader(r io.Reader) int { return 0 }
`, []string{"CountAgreesWithCountBytes of Count, CountBytes", "CountAgreesWithCountReader of Count, CountReader"}},
		{"what says how many bytes there are, and what writes them", `
type Packet struct{ data []byte }
func (p *Packet) Unmarshal(b []byte) error { return nil }
func (p Packet) Marshal() ([]byte, error) { return nil, nil }
func (p Packet) MarshalTo(b []byte) (int, error) { return 0, nil }
func (p Packet) Size() int64 { return 0 }
func (p Packet) MarshalSize() int { return 0 }
`, []string{"PacketMarshalSizeAgreesWithMarshal of Packet.MarshalSize, Packet.Marshal", "PacketMarshalToAgreesWithMarshal of Packet.MarshalTo, Packet.Marshal"}},
		{"a length may be one of something else", `
type Name struct{ S string }
func (n Name) Bytes() []byte { return nil }
func (n Name) BytesTo(b []byte) int { return 0 }
func (n Name) Len() uint8 { return 0 }
`, []string{"NameLenAgreesWithBytes of Name.Len, Name.Bytes?"}},
		{"FromBytes may read another form", `
func FromString(s string) (int, error) { return 0, nil }
func FromBytes(b []byte) (int, error) { return 0, nil }
`, []string{"FromStringAgreesWithFromBytes of FromString, FromBytes?"}},
		{"of methods", `
type Re struct{ Expr string }
func (r Re) Match(b []byte) bool { return false }
func (r Re) MatchString(s string) (matched bool) { return false }
func (r *Re) MatchReader(in io.Reader) bool { return false }
`, []string{"ReMatchAgreesWithMatchString of Re.Match, Re.MatchString"}},
		{"a form that is a number", `
func Count(s string) int { return 0 }
func CountString(n int) int { return 0 }
`, nil},
		{"forms with different results", `
func Count(s string) int { return 0 }
func CountBytes(b []byte) uint { return 0 }
`, nil},
		{"what panics and what returns an error", text + `
func MustParsePoint(s string) *Point { return nil }
func ParsePoint(s string) (*Point, error) { return nil, nil }
`, []string{"MustParsePointAgreesWithParsePoint of MustParsePoint, ParsePoint"}},
		{"what panics with the error of another", text + `
func RequirePoint(s string) *Point {
	p, err := ReadPoint(s)
	if err != nil {
		panic(err)
	}
	return p
}
func ReadPoint(s string) (*Point, error) { return nil, nil }
`, []string{"RequirePointAgreesWithReadPoint of RequirePoint, ReadPoint"}},
		{"of another argument", text + `
func MustParsePoint(b []byte) *Point { return nil }
func ParsePoint(s string) (*Point, error) { return nil, nil }
`, nil},
		{"what is appended", `
type ID int
func (id ID) AppendText(b []byte) ([]byte, error) { return b, nil }
func (id ID) MarshalText() ([]byte, error) { return nil, nil }
func (id ID) String() string { return "" }
func AppendInt(b []byte, n int) []byte { return b }
func FormatInt(n int) string { return "" }
`, []string{"IDMarshalTextAgreesWithString of ID.MarshalText, ID.String?", "AppendIntAgreesWithFormatInt of AppendInt, FormatInt", "IDAppendTextAgreesWithMarshalText of ID.AppendText, ID.MarshalText", "IDAppendTextAgreesWithString of ID.AppendText, ID.String"}},
		{"appended with other arguments, to other things, or one of many", `
func AppendInt(b []byte, n int) []byte { return b }
func FormatInt(n int, base int) string { return "" }
func AppendBool(list []string, x bool) []string { return list }
func FormatBool(x bool) string { return "" }
func AppendByte(b []byte, more ...int) []byte { return b }
func FormatByte(n int) string { return "" }
func Append(b []byte, n int) []byte { return b }
func Format(n int) string { return "" }
`, nil},
		{"what is got is what was given", `
type Point struct{ x, y int; name string }
func NewPoint(x, y int, name string) (*Point, error) { return nil, nil }
func (p *Point) X() int { return p.x }
func (p *Point) GetY() int { return p.y }
func (p *Point) Name() []byte { return nil }
`, []string{"NewPointGivesX of NewPoint, (*Point).X?", "NewPointGivesGetY of NewPoint, (*Point).GetY?"}},
		{"a getter with an argument", `
type Point struct{ x int }
func NewPoint(x int) *Point { return nil }
func (p *Point) X(scale int) int { return p.x }
`, nil},
		{"what is made is of another package", `func NewTime(unix int64) time.Time { return time.Time{} }`, nil},
	}, Agreement)
}

func TestGuessesAboutResults(t *testing.T) {
	propose(t, []shape{
		{"a function", `func Sum(b []byte, n int) (uint32, error) { return 0, nil }`, []string{"SumRepeated of Sum", "SumUntouched of Sum?", "SumZeroOnError of Sum?"}},
		{"what asks a clock differs", `func Since(n int64) int64 { return time.Now().Unix() - n }`, nil},
		{"what makes new things is a guess", `func NewSum(n int) uint32 { return 0 }`, []string{"NewSumRepeated of NewSum?"}},
		{"what sets, adds, or must", `
func SetLevel(n int) int { return 0 }
func Add(n int) int { return 0 }
func MustSum(n int) int { return 0 }
`, nil},
		{"without arguments there is nothing to search", `func Now() int { return 0 }`, nil},
		{"without a result", `func Sum(b []byte) {}`, nil},
		{"a result that nothing compares", `func Walk(s string) func() { return nil }`, nil},
		{"a destination is written to", `func Hex(dst, src []byte) int { return 0 }`, []string{"HexRepeated of Hex", "HexUntouched of Hex?"}},
		{"the name says that it changes its argument", `func ReverseBytes(b []byte) []byte { return b }`, []string{"ReverseBytesRepeated of ReverseBytes?"}},
		{"bytes of a name of their own may be there to be changed", `
type Buf []byte
func Sum(b Buf) int { return 0 }
`, []string{"SumRepeated of Sum"}},
		{"zero values of each sort; any may hold what nothing compares", `
type Pair struct{ A, B int }
func Read(s string) (int, string, bool, []byte, Pair, any, error) { return 0, "", false, nil, Pair{}, nil, nil }
`, []string{"ReadZeroOnError of Read?"}},
		{"a bool alone has no zero to be compared with", `func Read(s string) (bool, error) { return false, nil }`, []string{"ReadRepeated of Read"}},
		{"an error alone", `func Read(s string) error { return nil }`, []string{"ReadRepeated of Read"}},
		{"an error that is not the last", `func Read(s string) (error, int) { return nil, 0 }`, []string{"ReadRepeated of Read"}},
	}, Repeated, Untouched, ZeroOnError)
}

func TestBounds(t *testing.T) {
	propose(t, []shape{
		{"an index", `func IndexAny(s string, c byte) int { return 0 }`, []string{"IndexAnyBounds of IndexAny?"}},
		{"an index of nothing that has a length", `func Index(n int) int { return 0 }`, nil},
		{"counts", `
func CountWords(s string) int { return 0 }
func RuneWidth(r rune) int { return 0 }
func LenOf(b []byte) int { return 0 }
`, []string{"CountWordsBounds of CountWords?", "LenOfBounds of LenOf?", "RuneWidthBounds of RuneWidth?"}},
		{"a method", `
type List []string
func (l List) Len() int { return len(l) }
`, nil},
		{"a method of a value", `
type Name string
func (n Name) Len() int { return len(n) }
func (n Name) Index(sub string) int { return 0 }
`, []string{"NameIndexBounds of Name.Index?", "NameLenBounds of Name.Len?"}},
		{"another number", `
func CountWords(s string) uint { return 0 }
func IndexAny(s string) (int, error) { return 0, nil }
`, nil},
		{"Counter begins with no word of a count", `func Counter(s string) int { return 0 }`, nil},
	}, Bounds)
}

// A package may have names that a fuzz test would use.
func TestNamesOfThePackageAreNotHidden(t *testing.T) {
	for _, c := range []struct{ name, code, tests string }{
		{"of packages", `
func bytes(n int) int { return n }
func math(n int) int { return n }
func reflect(n int) int { return n }
type strings int
type V struct{ F float64; M map[string]int }
func Clean(b []byte) []byte { return b }
func Abs(x float64) float64 { return x }
func Normalize(v V) V { return v }
func CleanBytes(b []byte) []byte { return b }
func Sum(s string) int { return 0 }
func SumReader(r io.Reader) int { return 0 }
`, ""},
		{"of variables", `
type got struct{ N int }
type want int
func once() {}
var xy, before, valid int
func Clean(s string) string { return s }
func Compare(a, b string) int { return 0 }
func Sum(b []byte) (want, error) { return 0, nil }
func ValidSum(b []byte) bool { return true }
func ParseSum(b []byte) (got, error) { return got{}, nil }
`, ""},
		{"of parameters", `
func ParseX(err string) (int, error) { return 0, nil }
func MustX(err string) int { return 0 }
func X(err string) (int, error) { return 0, nil }
func Sum(t, f []byte, ok bool) (got int, err error) { return 0, nil }
func Clean(once string) (string, error) { return once, nil }
func ValidX(valid string) error { return nil }
func Less(a, b string) bool { return false }
func Count(_ string, string []byte) int { return 0 }
`, ""},
		{"of fuzz tests", `
func FuzzCleanTwice() {}
func Clean(s string) string { return s }
`, "func FuzzCleanRepeated(f *testing.F) {}\n"},
	} {
		t.Run(c.name, func(t *testing.T) { compiles(t, loadtest.Typed(t, c.code, c.tests)) })
	}
}

// Of each argument and each result there are functions of each kind of name: what is proposed
// for any shape compiles.
func TestWhatIsProposedCompiles(t *testing.T) {
	params := []string{"string", "[]byte", "int", "float64", "P", "*P", "V", "ID", "Text", "Raw", "[2]byte", "time.Duration", "io.Reader", "[]string"}
	results := []string{"string", "[]byte", "float64", "bool", "error", "P", "*P", "V", "ID", "Text", "Raw", "time.Time", "any", "[]string"}
	names := []string{"Parse%s", "Clean%s", "Encode%s", "Decode%s", "Valid%s", "Index%s", "Must%s", "Append%s", "New%s", "%s", "%sBytes"}
	ways := []string{"%s", "(%s, error)", "(%s, bool)"}
	for i, param := range params {
		var b strings.Builder
		b.WriteString(`
type P struct{ x, y int }
func ParseP(s string) (*P, error) { return nil, nil }
func (p *P) String() string { return "" }
func (p *P) Equal(q *P) bool { return false }
type V struct{ A string; B float64 }
type ID [4]byte
func (id ID) String() string { return "" }
type Text string
type Raw []byte
`)
		for k, result := range results {
			way := ways[(i+k)%len(ways)]
			for n, name := range names {
				arg := param
				if n == len(names)-1 {
					arg = "[]byte"
				}
				fmt.Fprintf(&b, "func %s(v %s, n int) %s { panic(1) }\n", fmt.Sprintf(name, fmt.Sprintf("X%d", k)), arg, fmt.Sprintf(way, result))
			}
		}
		r := loadtest.Typed(t, b.String(), "")
		var parts []target.Part
		for _, family := range Find(r) {
			for _, p := range family {
				part, err := p.Source(p.Name, nil)
				if err != nil {
					t.Fatal(err)
				}
				parts = append(parts, part)
			}
		}
		text, err := target.Join("m", "", parts...)
		if err != nil {
			t.Fatal(err)
		}
		if err := loadtest.Compile(r, "/m/x_test.go", text); err != nil {
			t.Errorf("%s: %v", param, err)
		}
		if len(parts) == 0 {
			t.Errorf("nothing is proposed for functions of %s", param)
		}
	}
}

func TestLawsOfAlgebra(t *testing.T) {
	propose(t, []shape{
		{"methods of a struct", `
type Sum struct{ n int; unit string }
func ParseSum(s string) Sum { return Sum{} }
func (s Sum) Add(o Sum) Sum { return s }
func (s Sum) Sub(o Sum) Sum { return s }
func (s Sum) Neg() Sum { return s }
func (s Sum) Distance(o Sum) int { return 0 }
`, []string{
			"SumAddCommutes of Sum.Add", "SumAddTakenBack of Sum.Add, Sum.Sub?", "SumDistanceCommutes of Sum.Distance", "SumNegTakesBack of Sum.Neg?", "SumSubTakenBack of Sum.Sub, Sum.Add?",
		}},
		{"functions", `
func Min(a, b int) int { return a }
func Plus(a, b uint8) uint8 { return a }
func Minus(a, b uint8) uint8 { return a }
`, []string{"MinCommutes of Min", "MinusTakenBack of Minus, Plus?", "PlusCommutes of Plus", "PlusTakenBack of Plus, Minus?"}},
		{"what may change its values, or is not exact", `
type Set map[string]bool
func (s Set) Union(o Set) Set { return s }
type Big struct{ n int }
func (b *Big) Add(o *Big) *Big { return b }
func Max(a, b float64) float64 { return a }
type Vector struct{ X, Y float64 }
func (v Vector) Add(o Vector) Vector { return v }
func Add(a int, b int8) int { return a }
func Union(a, b []int) []int { return a }
func Mul(a, b, c int) int { return a }
`, nil},
		{"a pair of different kinds", `
type At struct{ N int }
type Span struct{ N int }
func (a At) Sub(b At) Span { return Span{} }
func (a At) Add(s Span) At { return a }
`, nil},
	}, Algebra)
}
