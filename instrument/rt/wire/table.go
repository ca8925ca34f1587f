package wire

import "encoding/binary"

// Each process reads the tables of the whole program before it does anything, and a program may have
// 100,000 mutants. As JSON that takes longer to read than what most processes are started
// for: one whose mutant ends it. So the tables are texts of small numbers, as IDs are.

// Funcs are numbers of functions, -1 for none.
type Funcs []int32

// Places are those of functions, by number.
type Places []Place

// Loops are in the order of their counters.
type Loops []Loop

// MarshalText implements encoding.TextMarshaler.
func (l Funcs) MarshalText() ([]byte, error) { return marshalSteps(l), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *Funcs) UnmarshalText(text []byte) (err error) {
	*l, err = unmarshalSteps[int32](text)
	return err
}

// MarshalText implements encoding.TextMarshaler. A file is a number: one that is as high as
// the number of files before it is followed by its name.
func (l Places) MarshalText() ([]byte, error) {
	buf, files := make([]byte, 0, 5*len(l)), make(map[string]int)
	for _, p := range l {
		file, have := files[p.File]
		if !have {
			file = len(files)
			files[p.File] = file
		}
		buf = binary.AppendVarint(buf, int64(file))
		if !have {
			buf = binary.AppendVarint(buf, int64(len(p.File)))
			buf = append(buf, p.File...)
		}
		buf = appendVarints(buf, p.Line, p.EndLine-p.Line)
	}
	return encodeText(buf), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *Places) UnmarshalText(text []byte) error {
	*l = nil
	buf, err := decodeText(text)
	var files []string
	for len(buf) > 0 && err == nil {
		var p Place
		if p.File, buf, err = takeFile(buf, &files); err == nil {
			buf, err = takeVarints(buf, &p.Line, &p.EndLine)
		}
		p.EndLine += p.Line
		*l = append(*l, p)
	}
	return err
}

// takeFile takes a file, and enters it into those that were taken before if it is new.
func takeFile(buf []byte, files *[]string) (file string, rest []byte, err error) {
	var n, size int
	if rest, err = takeVarints(buf, &n); err != nil {
		return "", nil, err
	}
	switch {
	case n < 0 || n > len(*files):
		return "", nil, errFile
	case n < len(*files):
		return (*files)[n], rest, nil
	}
	if rest, err = takeVarints(rest, &size); err != nil || size < 0 || size > len(rest) {
		return "", nil, errList
	}
	*files = append(*files, string(rest[:size]))
	return (*files)[n], rest[size:], nil
}

// MarshalText implements encoding.TextMarshaler.
func (l Loops) MarshalText() ([]byte, error) {
	buf := make([]byte, 0, 6*len(l))
	last := uint32(0)
	for _, n := range l {
		buf = appendVarints(buf, int(int64(n.Counter)-int64(last)), n.Line, n.Body-n.Line, n.EndLine-n.Line)
		last = n.Counter
	}
	return encodeText(buf), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *Loops) UnmarshalText(text []byte) error {
	*l = nil
	buf, err := decodeText(text)
	last := uint32(0)
	for len(buf) > 0 && err == nil {
		var step int
		var n Loop
		buf, err = takeVarints(buf, &step, &n.Line, &n.Body, &n.EndLine)
		last += uint32(step)
		n.Counter, n.Body, n.EndLine = last, n.Body+n.Line, n.EndLine+n.Line
		*l = append(*l, n)
	}
	return err
}

func appendVarints(buf []byte, list ...int) []byte {
	for _, n := range list {
		buf = binary.AppendVarint(buf, int64(n))
	}
	return buf
}

func takeVarints(buf []byte, list ...*int) (rest []byte, err error) {
	for _, n := range list {
		var v int64
		if v, buf, err = takeVarint(buf); err != nil {
			return nil, err
		}
		*n = int(v)
	}
	return buf, nil
}
