package properties

import "testing"

func TestFormsThatAgree(t *testing.T) {
	propose(t, []shape{
		{"what joins and what splits", `
func Join(args ...string) string { return "" }
func Split(s string) ([]string, error) { return nil, nil }
`, []string{"JoinRoundTrip of Join, Split? > JoinRoundTrip_2 of Join, Split?"}},
		{"lists of numbers", `
func Join(args ...int) string { return "" }
func Split(s string) ([]int, error) { return nil, nil }
`, nil},
		{"a code with settings", `
func EncodeHex(b []byte, upper bool) string { return "" }
func DecodeHex(s string, upper bool) ([]byte, error) { return nil, nil }
`, []string{"EncodeHexRoundTrip of EncodeHex, DecodeHex"}},
		{"other settings", `
func EncodeHex(b []byte, upper bool) string { return "" }
func DecodeHex(s string, strict int) ([]byte, error) { return nil, nil }
`, nil},
		{"what a function reads that is named after it", `
type ID [2]byte
func (id ID) Bytes() []byte { return nil }
func (id ID) Hex() string { return "" }
func (id ID) Name() string { return "" }
func FromBytes(b []byte) (ID, error) { return ID{}, nil }
func IDFromHex(s string) (*ID, error) { return nil, nil }
func FromName(s string) (int, error) { return 0, nil }
`, []string{
			"FromBytesRoundTrip of FromBytes, ID.Bytes? > FromBytesRoundTrip_2 of FromBytes, ID.Bytes > FromBytesRoundTrip_3 of FromBytes, ID.Bytes",
			"IDFromHexRoundTrip of IDFromHex, ID.Hex? > IDFromHexRoundTrip_2 of IDFromHex, ID.Hex > IDFromHexRoundTrip_3 of IDFromHex, ID.Hex",
		}},
	}, RoundTrip)
	propose(t, []shape{
		{"steps", `
type ID int
func (id ID) Next() ID { return id + 1 }
func (id ID) Prev() ID { return id - 1 }
func (id ID) Inc(by int) ID { return id }
func (id ID) Dec(by int) ID { return id }
`, []string{"IDNextTakenBack of ID.Next, ID.Prev?", "IDPrevTakenBack of ID.Prev, ID.Next?"}},
	}, Algebra)
	propose(t, []shape{
		{"what was given, by its type", `
type ID struct{ t time.Time; data []byte }
func FromParts(at time.Time, data []byte) (ID, error) { return ID{}, nil }
func (id ID) Time() time.Time { return id.t }
func (id ID) Data() []byte { return nil }
func (id ID) Raw() []byte { return nil }
func Read(at time.Time) (ID, error) { return ID{}, nil }
`, []string{"FromPartsGivesTime of FromParts, ID.Time? > FromPartsGivesTime_2 of FromParts, ID.Time? > FromPartsGivesTime_3 of FromParts, ID.Time?", "FromPartsGivesData of FromParts, ID.Data?"}},
		{"what one of several kinds is made of", `
type Value struct{ list []string; n int }
func List(v ...string) Value { return Value{} }
func NewInt(n int) *Value { return nil }
func FloatValue(f float64) Value { return Value{} }
func Bool(b bool) Value { return Value{} }
func (v Value) List() []string { return nil }
func (v Value) AsInt() int { return 0 }
func (v Value) Float() float64 { return 0 }
func (v Value) Bool() int { return 0 }
`, []string{"FloatValueGivesFloat of FloatValue, Value.Float?", "ListGivesList of List, Value.List?", "NewIntGivesAsInt of NewInt, Value.AsInt?"}},
		{"what panics with an error that it is given", text + `
func MustPoint(p *Point, err error) *Point { return p }
func Read(s string) (*Point, error) { return nil, nil }
`, []string{"MustPointPasses of MustPoint"}},
		{"no function returns that", `
func Must(p int, err error) int { return p }
func Read(s string) (string, error) { return "", nil }
`, nil},
		{"texts of one value", `
type ID int
func (id ID) String() string { return "" }
func (id ID) MarshalText() ([]byte, error) { return nil, nil }
func (id ID) MarshalJSON() ([]byte, error) { return nil, nil }
func (id ID) Value() (interface{}, error) { return nil, nil }
func (id ID) Text(base int) string { return "" }
`, []string{"IDMarshalJSONAgreesWithString of ID.MarshalJSON, ID.String?", "IDMarshalTextAgreesWithString of ID.MarshalText, ID.String?", "IDValueAgreesWithString of ID.Value, ID.String?"}},
		{"what sets a value", `
type ID struct{ n int }
func ParseID(s string) (*ID, error) { return nil, nil }
func (id *ID) UnmarshalText(b []byte) error { return nil }
func (id *ID) UnmarshalJSON(b []byte) error { return nil }
func (id *ID) Scan(v interface{}) error { return nil }
func (id ID) Set(s string) error { return nil }
`, []string{
			"IDScanAgreesWithParseID of (*ID).Scan, ParseID? > IDScanAgreesWithParseID_2 of (*ID).Scan, ParseID?",
			"IDUnmarshalJSONAgreesWithParseID of (*ID).UnmarshalJSON, ParseID? > IDUnmarshalJSONAgreesWithParseID_2 of (*ID).UnmarshalJSON, ParseID?",
			"IDUnmarshalTextAgreesWithParseID of (*ID).UnmarshalText, ParseID? > IDUnmarshalTextAgreesWithParseID_2 of (*ID).UnmarshalText, ParseID?",
		}},
		{"a function and the method of its name", `
type Width struct{ n int }
func New() *Width { return nil }
func (w *Width) Of(s string) int { return 0 }
func Of(s string) int { return 0 }
type V struct{ N int }
func (v V) Next(by int) int { return 0 }
func Next(v V, by int) int { return 0 }
func (v V) Last() string { return "" }
func Last() string { return "" }
`, []string{"NextAgreesWithVNext of Next, V.Next?", "OfAgreesWithWidthOf of Of, (*Width).Of?"}},
		{"what writes and what returns", `
type ID struct{ N int }
func (id ID) WriteTo(w io.Writer) (int64, error) { return 0, nil }
func (id ID) Bytes() []byte { return nil }
func Fprint(w io.Writer, n int) error { return nil }
func Sprint(n int) string { return "" }
func RenderID(w io.Writer, n int) {}
func FormatID(n int) string { return "" }
func WriteList(w io.Writer, n int) {}
func List(n int, s string) string { return "" }
`, []string{
			"FprintAgreesWithSprint of Fprint, Sprint?", "RenderIDAgreesWithFormatID of RenderID, FormatID?",
			"IDWriteToAgreesWithBytes of ID.WriteTo, ID.Bytes?",
		}},
	}, Agreement)
}

// rightForms is code without a fault: each property that is proposed for it holds.
const rightForms = `
func Join(args ...string) string { return fmt.Sprintf("%q", args) }

func Split(s string) (list []string, err error) {
	if !strings.HasPrefix(s, "[") || !strings.HasSuffix(s, "]") {
		return nil, errors.New("no list")
	}
	for s = s[1:]; s != "]"; s = strings.TrimPrefix(s, " ") {
		n := 1
		for n < len(s) && s[n] != '"' {
			if s[n] == '\\' {
				n++
			}
			n++
		}
		if n+1 >= len(s) {
			return nil, errors.New("no end")
		}
		word := ""
		if _, err := fmt.Sscanf(s[:n+1], "%q", &word); err != nil {
			return nil, err
		}
		list, s = append(list, word), s[n+1:]
	}
	return list, nil
}

func EncodeShift(s string, by byte) []byte {
	b := []byte(s)
	for i := range b {
		b[i] += by
	}
	return b
}

func DecodeShift(b []byte, by byte) string { return string(EncodeShift(string(b), -by)) }

// A Level is read from its name.
type Level int

func (l Level) String() string               { return []string{"low", "high"}[l&1] }
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

func (l Level) WriteTo(w io.Writer) (int64, error) {
	n, err := io.WriteString(w, l.String())
	return int64(n), err
}

func ParseLevel(s string) (Level, error) {
	switch s {
	case "low":
		return 0, nil
	case "high":
		return 1, nil
	}
	return 0, errors.New("no level")
}

func (l *Level) UnmarshalText(b []byte) (err error) {
	*l, err = ParseLevel(string(b))
	return err
}

func Must(l Level, err error) Level {
	if err != nil {
		panic(err)
	}
	return l
}

// Words are texts.
type Words struct{ list []string }

func NewWords(list ...string) *Words { return &Words{list} }
func (w *Words) List() []string      { return w.list }

type Counter struct{ by int }

func NewCounter() *Counter             { return &Counter{1} }
func (c *Counter) Count(s string) int  { return c.by * len(s) }
func Count(s string) int               { return NewCounter().Count(s) }
`

// formFaults are changes of rightForms.
var formFaults = []fault{
	{"FuzzJoinRoundTrip", `Sprintf("%q", args)`, `Sprintf("%q", args[:1])`, `"a\x00b"`, `["a" "b"] is joined as "[\"a\"]", and Split makes ["a"] of that`},
	{"FuzzEncodeShiftRoundTrip", "b[i] += by", "b[i] += 1", `"a", byte(2)`, `DecodeShift of EncodeShift("a", 2) = "c"`},
	{"FuzzLevelMarshalTextAgreesWithString", "[]byte(l.String()), nil", "nil, nil", "0", `0.MarshalText() = "", and as text "low"`},
	{"FuzzLevelWriteToAgreesWithString", "io.WriteString(w, l.String())", "0, error(nil)", "0", `0.String() = "low", but WriteTo writes ""`},
	{"FuzzLevelUnmarshalTextAgreesWithParseLevel", "*l, err = ", "_, err = ", `"high"`, "UnmarshalText of \"high\" is low, but ParseLevel high"},
	{"FuzzNewWordsGivesList", "return w.list", "return w.list[1:]", `"a\x00b"`, `NewWords(["a" "b"]...).List() = [b]`},
	{"FuzzMustPasses", "panic(err)", "return 1", `"x"`, `Must(ParseLevel("x")) panics with <nil>; the error is no level`},
	{"FuzzCountAgreesWithCounterCount", "return NewCounter().Count(s)", "return 1", `"ab"`, `Count("ab") = 1; Counter.Count: 2`},
}

func TestFormsTellRightFromWrong(t *testing.T) { tellRightFromWrong(t, rightForms, formFaults) }

// rightJSON writes texts as JSON, which has no others than those in UTF-8.
const rightJSON = `
import "encoding/json"

type Ident struct{ name string }

func NewIdent(name string) Ident   { return Ident{name} }
func (i Ident) String() string     { return i.name }
func (i Ident) MarshalJSON() ([]byte, error) { return json.Marshal(i.name) }

func (i *Ident) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, &i.name) }
`

// A text that is not in UTF-8 does not come back from JSON: that is no fault of the code.
func TestRoundTripsByJSONAreOfTextsInUTF8(t *testing.T) {
	tellRightFromWrong(t, rightJSON, []fault{
		{"FuzzIdentMarshalJSONRoundTrip", "json.Marshal(i.name)", `json.Marshal("I" + i.name)`, `"\xce"`, `UnmarshalJSON of MarshalJSON of NewIdent("a") = Ia`},
		{"FuzzIdentMarshalJSONRoundTrip", "type Ident", "type Ident", `"a"`, `UnmarshalJSON of MarshalJSON of NewIdent("a") = Ia`},
	})
}
