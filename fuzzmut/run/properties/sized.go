package properties

import (
	"fmt"
	"go/types"
	"slices"
)

var (
	// encoderNames are methods that return a value as bytes.
	encoderNames = []string{"Marshal", "MarshalBinary", "Encode", "Serialize", "Pack", "Bytes", "ToBytes"}
	// sizeNames are methods that say how many bytes these are. The last two may count something else.
	sizeNames = []string{"MarshalSize", "MarshalLen", "EncodedSize", "EncodedLen", "SerializedSize", "BinarySize", "ByteSize", "ByteLen", "WireLen", "Size", "Len"}
)

// sized: what says how many bytes a value takes agrees with what returns them, and what writes them into a
// list of bytes does, too.
func sized(a *api) (all []Family) {
	for _, n := range a.types {
		for _, name := range encoderNames {
			out := a.method(n, name)
			if out == nil || out.Signature().Params().Len() > 0 || !valued(out.Signature().Results()) || !isBytes(out.Signature().Results().At(0).Type()) {
				continue
			}
			all = append(all, a.size(n, out), a.into(n, out))
		}
	}
	return slices.DeleteFunc(all, func(f Family) bool { return len(f) == 0 })
}

// coded begins a fuzz test with a value of a type and what a method makes of it. The value is read, where
// that is possible, or made.
func (a *api) coded(n *types.Named, out *types.Func) (s *sketch, v, coded string) {
	for _, pair := range a.writers(n) {
		text := pair[1].Signature().Params().At(0)
		if pair[0] != out || !isText(text.Type()) {
			continue
		}
		if s = a.sketch([]*types.Var{text}, a.surface.Seeds(pair[1])); s != nil {
			v = s.Local(variable(n))
			s.blank(v, n)
			s.linef("if %s; err != nil {\nreturn\n}", set(pair[1], v, s.Args[0].Expr))
			break
		}
	}
	if s == nil {
		if s = a.of(out); s == nil {
			return nil, "", ""
		}
		v = s.Args[0].Expr
	}
	coded = s.Local("coded")
	s.bind(coded, call(out, []string{v}), out.Signature().Results(), "return")
	return s, v, coded
}

// size is the law of what says how many bytes there are.
func (a *api) size(n *types.Named, out *types.Func) Family {
	for i, name := range sizeNames {
		size := a.method(n, name)
		if size == nil || size.Signature().Params().Len() > 0 || size.Signature().Results().Len() != 1 || !isInteger(size.Signature().Results().At(0).Type()) {
			continue
		}
		s, v, coded := a.coded(n, out)
		if s == nil {
			return nil
		}
		got := s.Local("got")
		s.linef("%s := int(%s)", got, call(size, []string{v}))
		s.reports(fmt.Sprintf("%s != len(%s)", got, coded), size.Name()+" = %d, and "+out.Name()+" returns %d bytes", got, "len("+coded+")")
		return Family{s.property(Agreement, camel(size)+"AgreesWith"+out.Name(), fmt.Sprintf("%s is how many bytes %s returns.", short(size), short(out)), i >= len(sizeNames)-2, size, out)}
	}
	return nil
}

// into is the law of what writes the bytes into a list.
func (a *api) into(n *types.Named, out *types.Func) Family {
	into := a.method(n, out.Name()+"To")
	if into == nil || into.Signature().Params().Len() != 1 || !isBytes(into.Signature().Params().At(0).Type()) {
		return nil
	}
	res := into.Signature().Results()
	if res.Len() != 2 || !isInteger(res.At(0).Type()) || !isError(res.At(1).Type()) {
		return nil
	}
	s, v, coded := a.coded(n, out)
	if s == nil {
		return nil
	}
	buf, count := s.Local("buf"), s.Local("n")
	s.linef("%s := make([]byte, len(%s))", buf, coded)
	s.linef("%s, err := %s\nif err != nil {\nt.Fatal(err)\n}", count, call(into, []string{v, buf}))
	s.reports(fmt.Sprintf("!%s.Equal(%s[:%s], %s)", s.Use("bytes"), buf, count, coded), into.Name()+" writes %q, and "+out.Name()+" returns %q", buf+"[:"+count+"]", coded)
	return Family{s.property(Agreement, camel(into)+"AgreesWith"+out.Name(), fmt.Sprintf("%s writes what %s returns.", short(into), short(out)), false, into, out)}
}

func isInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}
