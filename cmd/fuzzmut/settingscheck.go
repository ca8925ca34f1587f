package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut/settings"
)

// checkSettings returns an error for the first line of a file that no command could use. All
// of the file is checked, whatever command reads it.
func checkSettings(file *settings.File) error {
	for _, t := range file.Tables {
		if err := checkTable(t.Path); err != nil {
			return file.Errorf(t.Line, "%w", err)
		}
	}
	for _, s := range file.Settings {
		check := checkSetting
		if slices.Equal(s.Table, []string{timeoutTable}) {
			check = checkTimeout
		}
		if err := check(s); err != nil {
			return file.Errorf(s.Line, "%w", err)
		}
	}
	return nil
}

// tableNames returns the names of all tables that a file may have.
func tableNames() []string {
	names := []string{timeoutTable}
	for _, name := range commandNames() {
		if len(configurableBelow(strings.Fields(name))) > 0 {
			names = append(names, strings.ReplaceAll(name, " ", "."))
		}
	}
	return names
}

// configurableBelow returns the commands that a table is for: the command of that name, or
// all of its commands. An empty name is of the settings above all tables.
func configurableBelow(table []string) []string {
	prefix := strings.Join(table, " ")
	var list []string
	for _, name := range commandNames() {
		if (prefix == "" || name == prefix || strings.HasPrefix(name, prefix+" ")) && configurable(name) {
			list = append(list, name)
		}
	}
	return list
}

func checkTable(path []string) error {
	name := strings.Join(path, ".")
	if known := tableNames(); !slices.Contains(known, name) {
		return fmt.Errorf("no command has settings in a table [%s]; %s", name, didYouMean(name, known, "there may be "+strings.Join(known, ", ")))
	}
	return nil
}

// fuzzTestName is a fuzz test, after its package or not.
var fuzzTestName = regexp.MustCompile(`^([^\s"]+\.)?Fuzz($|[^\p{Ll}\s.][^\s.]*$)`)

func checkTimeout(s settings.Setting) error {
	if !fuzzTestName.MatchString(s.Key) {
		return fmt.Errorf("%q is no fuzz test; write FuzzX, or \"parser.FuzzX\" with the import path of the package or its last element", s.Key)
	}
	if d, err := time.ParseDuration(strings.Join(s.Values, ",")); err != nil || d <= 0 || s.List {
		return fmt.Errorf("%s: not a duration above zero; write \"10s\"", s.Key)
	}
	return nil
}

// checkSetting returns an error for a setting that no command of its table has, or whose
// value they do not take.
func checkSetting(in settings.Setting) error {
	s := settingOf(in.Key)
	if s == nil {
		return settingError(in.Key)
	}
	var have []string
	for _, name := range configurableBelow(nil) {
		if slices.ContainsFunc(settingsOf(name), func(own setting) bool { return own.name == s.name }) {
			have = append(have, name)
		}
	}
	if len(in.Table) == 0 && s.own {
		return fmt.Errorf("%s is set for each command, in its table: write it below %s", s.name, asTables(have))
	}
	here := configurableBelow(in.Table)
	i := slices.IndexFunc(here, func(name string) bool {
		return slices.Contains(have, name) && (len(in.Table) > 0 || !slices.Contains(s.not, name))
	})
	if i < 0 && len(in.Table) == 0 {
		return fmt.Errorf("%s is for %s: write it below that line", s.name, asTables(have))
	}
	if i < 0 {
		return fmt.Errorf("fuzzmut %s has no -%s; it is a setting of %s", strings.Join(in.Table, " "), s.name, strings.Join(have, ", "))
	}
	if err := checkValue(in, s, here[i]); err != nil {
		return fmt.Errorf("%s: %w", in.Key, err)
	}
	return nil
}

// asTables writes commands as the lines that begin their tables.
func asTables(names []string) string {
	var list []string
	for _, name := range names {
		list = append(list, "["+strings.ReplaceAll(name, " ", ".")+"]")
	}
	return strings.Join(list, ", ")
}

// checkValue returns an error for a value that the command does not take. Files need not
// be there: only a command that reads them looks.
func checkValue(in settings.Setting, s *setting, command string) error {
	several := s.kind == listValue || s.kind == packageList || s.kind == fileList
	switch {
	case s.kind == boolValue && !in.Bool:
		return errors.New("write true or false, without quotes")
	case s.kind != boolValue && in.Bool:
		return errors.New("neither true nor false is a value of it; write a string in quotes")
	case in.List && !several:
		return errors.New("write one value, and no list")
	case slices.Contains(in.Values, "") || len(in.Values) == 0:
		return errors.New("there is no value; write one, or remove the line")
	}
	switch s.kind {
	case fileValue, fileList, dirValue:
		return nil
	}
	if _, err := strconv.ParseUint(in.Values[0], 10, 64); s.name == "seed" && err != nil {
		return errors.New("not a number from 0 to 18446744073709551615")
	}
	f := findPath(strings.Fields(command)).allFlags(command)
	for _, value := range (&inFile{in}).arguments(s.kind, "", "") {
		if err := f.set.Set(s.name, value); err != nil {
			return err
		}
	}
	return nil
}
