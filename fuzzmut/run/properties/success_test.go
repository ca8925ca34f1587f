package properties

import "testing"

func TestValuesOfSuccess(t *testing.T) {
	propose(t, []shape{
		{"with an error, a bool, or nothing", `
type P struct{ n int }
func Read(s string) (*P, error) { return nil, nil }
func Find(b []byte) (string, bool) { return "", false }
func Plural(s string) string { return s }
func Bytes(n int) ([]byte, error) { return nil, nil }
func (p P) Name() string { return "" }
`, []string{
			"BytesGivesSomething of Bytes?", "FindGivesSomething of Find? > FindGivesSomething_2 of Find?", "PluralGivesSomething of Plural? > PluralGivesSomething_2 of Plural?",
			"ReadGivesSomething of Read? > ReadGivesSomething_2 of Read?", "PNameGivesSomething of P.Name?",
		}},
		{"zero is a number", `
func Atoi(s string) (int, error) { return 0, nil }
func Pair(s string) (string, string) { return "", "" }
func Is(s string) bool { return false }
`, nil},
	}, Something)
	propose(t, []shape{
		{"numbers of numbers", `
type Size uint64
func (s Size) Kilo() float64 { return 0 }
func (s *Size) Next() int { return 0 }
func Round(f float64) int { return 0 }
func Len(s string) int { return 0 }
func Add(a, b int) int { return 0 }
`, []string{"RoundMonotone of Round?", "SizeKiloMonotone of Size.Kilo?"}},
	}, Order)
}

const rightSuccess = `
func Plural(s string) string { return s + "s" }

func Half(n int) int { return n / 2 }

func Under(c context.Context, s string) string { return "<" + s }
`

var successFaults = []fault{
	{"FuzzPluralGivesSomething", `return s + "s"`, `return s`, `""`, `Plural("") = `},
	{"FuzzUnderGivesSomething", `"<" + s`, "s", `""`, `Under(t.Context(), "") = `},
	{"FuzzHalfMonotone", "n / 2", "n % 2", "1, 2", "Half of 1 is 1, and of 2 0"},
}

func TestSuccessTellsRightFromWrong(t *testing.T) { tellRightFromWrong(t, rightSuccess, successFaults) }

// rightSet is code whose only values are set by a method.
const rightSet = `
type Packet struct{ data []byte; next *Packet }

func NewPacket() *Packet { return new(Packet) }

func (p *Packet) Unmarshal(b []byte) error {
	if len(b) == 0 {
		return errors.New("too short")
	}
	p.data = append([]byte(nil), b...)
	return nil
}

func (p *Packet) Marshal() ([]byte, error)                 { return p.data, nil }

func (p *Packet) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write(p.data)
	return int64(n), err
}

func (p *Packet) String() string { return string(p.data) }
`

var setFaults = []fault{
	{"FuzzPacketWriteToAgreesWithString", "w.Write(p.data)", "w.Write(p.data[1:])", `[]byte("ab")`, `Packet("ab").String() = "", but WriteTo writes "b"`},
	{"FuzzPacketStringGivesSomething", "return string(p.data) }\n", "return \"\" }\n", `[]byte("ab")`, `Packet("ab").String() = `},
}

func TestValuesThatMethodsSet(t *testing.T) { tellRightFromWrong(t, rightSet, setFaults) }
