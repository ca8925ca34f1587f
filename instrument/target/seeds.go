package target

import (
	"go/constant"
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"
)

// SeedsMost bounds the seeds of one fuzz test, and seedMost the bytes of the text of each:
// the file is for people to read.
const (
	SeedsMost = 32
	seedMost  = 4096
)

// seeds returns the first seeds that are fit for the inputs, each once, as lists of
// arguments.
func (w *writer) seeds(values [][]constant.Value) (list []string) {
	if w.library() {
		return nil
	}
	n := len(values)
	for _, a := range w.inputs() {
		if a.maker != nil {
			n = max(n, len(a.maker.Seeds))
		}
	}
	for i := range n {
		seed, ok := w.seed(values, i)
		if !ok || len(seed) > seedMost || slices.Contains(list, seed) {
			continue
		}
		if list = append(list, seed); len(list) == SeedsMost {
			break
		}
	}
	return list
}

// seed returns one list of arguments. What is not known of it is zero. Makers that are
// called several times get seeds that are next to each other.
func (w *writer) seed(values [][]constant.Value, n int) (string, bool) {
	var args []string
	calls, last := make(map[*Maker]int), make(map[*Maker]int)
	for _, a := range w.inputs() {
		from, at := values, n
		if a.maker != nil {
			if before, again := last[a.maker]; !again || a.param <= before {
				calls[a.maker]++ // the first of its inputs
			}
			last[a.maker] = a.param
			if from = a.maker.Seeds; len(from) > 0 {
				at = (n + calls[a.maker] - 1) % len(from)
			}
		}
		var v constant.Value
		if at < len(from) && a.param >= 0 && a.param < len(from[at]) {
			v = from[at][a.param]
		}
		text, ok := literal(a.native, v)
		if !ok {
			return "", false
		}
		args = append(args, text)
	}
	return strings.Join(args, ", "), true
}

// literal returns a value of a type that go test -fuzz knows as source, nil as zero. It
// returns false for a value that the type does not have.
func literal(native string, v constant.Value) (string, bool) {
	if native == "[]byte" {
		text, ok := literal("string", v)
		return "[]byte(" + text + ")", ok
	}
	t := types.Universe.Lookup(native).Type().(*types.Basic)
	switch info := t.Info(); {
	case info&types.IsString != 0:
		if v == nil {
			v = constant.MakeString("")
		}
		return quoted(v), v.Kind() == constant.String
	case info&types.IsBoolean != 0:
		if v == nil {
			v = constant.MakeBool(false)
		}
		return v.ExactString(), v.Kind() == constant.Bool
	case info&types.IsFloat != 0:
		return float(native, v)
	}
	return integer(native, t, v)
}

func quoted(v constant.Value) string {
	if v.Kind() != constant.String {
		return ""
	}
	return strconv.Quote(constant.StringVal(v))
}

func float(native string, v constant.Value) (string, bool) {
	if v == nil {
		return native + "(0)", true
	}
	if v = constant.ToFloat(v); v.Kind() == constant.Unknown {
		return "", false
	}
	x, bits := 0.0, 64
	if native == "float32" {
		f, _ := constant.Float32Val(v)
		x, bits = float64(f), 32
	} else {
		x, _ = constant.Float64Val(v)
	}
	return native + "(" + strconv.FormatFloat(x, 'g', -1, bits) + ")", !math.IsInf(x, 0)
}

func integer(native string, t *types.Basic, v constant.Value) (string, bool) {
	if v == nil {
		v = constant.MakeInt64(0)
	}
	if v = constant.ToInt(v); v.Kind() != constant.Int {
		return "", false
	}
	bits := int(types.SizesFor("gc", "amd64").Sizeof(t)) * 8
	if t.Info()&types.IsUnsigned != 0 {
		if constant.Sign(v) < 0 || constant.BitLen(v) > bits {
			return "", false
		}
	} else if n, exact := constant.Int64Val(v); !exact || n<<(64-bits)>>(64-bits) != n {
		return "", false
	}
	if native == "int" {
		return v.ExactString(), true
	}
	return native + "(" + v.ExactString() + ")", true
}
