// Package settings reads fuzzmut.toml, the file with the settings of a module. It knows the
// form of the file, and not which settings exist.
package settings

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/BurntSushi/toml"

	"github.com/fuzzmut/fuzzmut/fuzzmut/regular"
)

// Name is the name of the file.
const Name = "fuzzmut.toml"

// maxSize bounds the file, in bytes.
const maxSize = 1 << 20

// A File is what a file of settings holds, in its order.
type File struct {
	Path     string // of the file, as messages name it
	Settings []Setting
	Tables   []Table // the tables that it has
}

// A Table is a table of the file. All of its settings are in File.Settings.
type Table struct {
	Path []string // its name, part by part
	Line int
}

// A Setting is a key with its value.
type Setting struct {
	Table  []string // the table that the key is in; empty: it is in none
	Key    string
	Values []string // one, or those of a list, as they are written on a command line
	List   bool     // the value is a list
	Bool   bool     // the value is true or false
	Line   int
}

// Root returns the nearest directory from dir upwards that has a go.mod or a go.work; "" if
// there is none. What is beside the file of another module is not for this one.
func Root(dir string) string {
	for {
		for _, name := range []string{"go.mod", "go.work"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				return dir
			}
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// Read reads a file, which messages call name. A file that does not exist is fs.ErrNotExist.
func Read(path, name string) (*File, error) {
	text, err := regular.Read(path, maxSize)
	if err != nil {
		return nil, err
	}
	return Parse(name, string(text))
}

// Parse reads the text of a file. An error names the file and the line.
func Parse(name, text string) (*File, error) {
	var top map[string]toml.Primitive
	md, err := toml.Decode(text, &top)
	if err != nil {
		return nil, place(name, err)
	}
	r := &reader{file: &File{Path: name}, md: &md}
	if err := r.table(nil, top); err != nil {
		return nil, err
	}
	slices.SortStableFunc(r.file.Settings, func(a, b Setting) int { return a.Line - b.Line })
	slices.SortStableFunc(r.file.Tables, func(a, b Table) int { return a.Line - b.Line })
	return r.file, nil
}

// place puts the file and the line before what the parser says.
func place(name string, err error) error {
	var wrong toml.ParseError
	if errors.As(err, &wrong) {
		return Errorf(name, wrong.Position.Line, "%s", wrong.Message)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// Errorf returns an error about a line of a file.
func Errorf(name string, line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w", name, line, fmt.Errorf(format, args...))
}

// Errorf returns an error about a line of the file.
func (f *File) Errorf(line int, format string, args ...any) error {
	return Errorf(f.Path, line, format, args...)
}

// A reader goes through the tables of a file.
type reader struct {
	file *File
	md   *toml.MetaData
}

// table adds what is in a table, the keys in alphabetical order: those on one line keep it.
func (r *reader) table(path []string, members map[string]toml.Primitive) error {
	keys := make([]string, 0, len(members))
	for key := range members {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		own := append(slices.Clone(path), key)
		line := r.line(members[key])
		var value any
		if err := r.md.PrimitiveDecode(members[key], &value); err != nil {
			return place(r.file.Path, err)
		}
		if _, ok := value.(map[string]any); ok {
			if err := r.inner(own, line, members[key]); err != nil {
				return err
			}
			continue
		}
		s := Setting{Table: path, Key: key, Line: line}
		if err := s.set(value); err != nil {
			return r.file.Errorf(line, "%s: %w", key, err)
		}
		r.file.Settings = append(r.file.Settings, s)
	}
	return nil
}

// inner adds a table that is a member of another.
func (r *reader) inner(path []string, line int, value toml.Primitive) error {
	var members map[string]toml.Primitive
	if err := r.md.PrimitiveDecode(value, &members); err != nil {
		return place(r.file.Path, err)
	}
	at := len(r.file.Tables)
	r.file.Tables = append(r.file.Tables, Table{Path: path, Line: line})
	first := len(r.file.Settings)
	if err := r.table(path, members); err != nil {
		return err
	}
	// A table that only a longer name makes has no line: it is where the first thing in it is.
	if line == 0 {
		line = math.MaxInt
		for _, s := range r.file.Settings[first:] {
			line = min(line, s.Line)
		}
		for _, t := range r.file.Tables[at+1:] {
			line = min(line, t.Line)
		}
		r.file.Tables[at].Line = line
	}
	return nil
}

// errHere is returned to the decoder, which adds the place of a value to it.
var errHere = errors.New("here")

// A locator makes the decoder say where a value is: it tells that of errors alone.
type locator struct{}

func (*locator) UnmarshalTOML(any) error { return errHere }

// line returns the line of a value's key, 0 if it has none.
func (r *reader) line(value toml.Primitive) int {
	var at toml.ParseError
	if errors.As(r.md.PrimitiveDecode(value, new(locator)), &at) {
		return at.Position.Line
	}
	return 0
}

// set takes over a value as TOML has it.
func (s *Setting) set(value any) error {
	list, ok := value.([]any)
	if !ok {
		text, err := asText(value)
		if err != nil {
			return err
		}
		_, s.Bool = value.(bool)
		s.Values = []string{text}
		return nil
	}
	s.List = true
	for _, element := range list {
		text, ok := element.(string)
		if !ok {
			return errors.New("this list has a value that is no string; write strings, as [\"a\", \"b\"]")
		}
		s.Values = append(s.Values, text)
	}
	return nil
}

// asText returns a single value as it is written on a command line.
func asText(value any) (string, error) {
	switch v := value.(type) {
	case string:
		return v, nil
	case bool:
		return strconv.FormatBool(v), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	}
	return "", errors.New("no setting has a value of this type; write a string in quotes, a number, true or false, or a list of strings")
}
