package gotool

import (
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/problem"
)

// valueFlags are the build flags whose value may be its own argument.
var valueFlags = map[string]bool{
	"asmflags": true, "buildmode": true, "compiler": true, "covermode": true, "coverpkg": true,
	"gccgoflags": true, "gcflags": true, "installsuffix": true, "ldflags": true, "mod": true,
	"modfile": true, "overlay": true, "p": true, "pgo": true, "pkgdir": true, "tags": true,
	"toolexec": true, "C": true, "o": true,
}

// refusedFlags can't be passed to the go command, and why.
var refusedFlags = map[string]string{
	"C":       "run fuzzmut in that directory",
	"n":       "fuzzmut has to build",
	"o":       "the test binary belongs to fuzzmut",
	"overlay": "fuzzmut builds through another overlay; apply yours to the source first",
}

// normalize brings build flags into the form -name=value, boolean ones into
// -name, and refuses those that would pull the rug from under the build.
func normalize(flags []string) ([]string, error) {
	var out []string
	for i := 0; i < len(flags); i++ {
		name, value, hasValue := cutFlag(flags[i])
		if name == "" {
			return nil, problem.Errorf(problem.KindUsage, "build flag %q does not begin with a dash", flags[i])
		}
		if why := refusedFlags[name]; why != "" {
			return nil, problem.Errorf(problem.KindUsage, "flag -%s can't be used: %s", name, why)
		}
		if !hasValue && valueFlags[name] {
			if i++; i == len(flags) {
				return nil, problem.Errorf(problem.KindUsage, "flag -%s needs a value", name)
			}
			value, hasValue = flags[i], true
		}
		if hasValue {
			name += "=" + value
		}
		out = append(out, "-"+name)
	}
	return out, nil
}

func cutFlag(arg string) (name, value string, hasValue bool) {
	rest, ok := strings.CutPrefix(arg, "-")
	if !ok {
		return "", "", false
	}
	return strings.Cut(strings.TrimPrefix(rest, "-"), "=")
}

// splitFlags splits GOFLAGS as the go command does: at white space, and an entry may be in
// quotes as a whole. What follows a quote without an end is left out.
func splitFlags(text string) (flags []string) {
	const space = " \t\r\n"
	for text = strings.TrimLeft(text, space); text != ""; text = strings.TrimLeft(text, space) {
		end, skip := strings.IndexAny(text, space), 0
		if text[0] == '\'' || text[0] == '"' {
			skip = 1
			if end = strings.IndexByte(text[1:], text[0]); end < 0 {
				return flags
			}
			end++
		} else if end < 0 {
			end = len(text)
		}
		flags, text = append(flags, text[skip:end]), text[end+skip:]
	}
	return flags
}

// lookup returns the last value of the named flag in normalized flags; "true"
// for a boolean one without a value.
func lookup(flags []string, name string) (value string, ok bool) {
	for _, f := range flags {
		if n, v, has := cutFlag(f); n == name {
			value, ok = v, true
			if !has {
				value = "true"
			}
		}
	}
	return value, ok
}

// Making returns all build flags, those of GOFLAGS first, but for the named ones.
func (t *Toolchain) Making(but ...string) []string {
	return without(slices.Concat(t.defaults, t.Flags), but...)
}

// LinkerFlags returns the build flags that give the linker a further argument: the user's keep
// theirs. Of the flags that match a package, the go command takes the last.
func (t *Toolchain) LinkerFlags(arg string) (flags []string) {
	if quote := "'"; strings.ContainsAny(arg, " \t\r\n\"") {
		arg = quote + arg + quote // the go command splits the value, as GOFLAGS
	}
	flags = []string{"-ldflags=" + arg}
	for _, f := range slices.Concat(t.defaults, t.Flags) {
		if name, value, _ := cutFlag(f); name == "ldflags" && strings.TrimSpace(value) != "" {
			flags = append(flags, "-ldflags="+value+" "+arg)
		}
	}
	return flags
}

// without returns normalized flags but for those named.
func without(flags []string, names ...string) []string {
	var out []string
next:
	for _, f := range flags {
		name, _, _ := cutFlag(f)
		for _, n := range names {
			if n == name {
				continue next
			}
		}
		out = append(out, f)
	}
	return out
}
