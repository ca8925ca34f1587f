//go:build unix

package diff

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/lockstep"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
)

// An input is minimized while it differs between old code and new code without the causes
// that are known, and what is left of it differs between old and new code.
func TestUnmask(t *testing.T) {
	for _, c := range []struct {
		name, input, known string
		want               string // "none": nothing differs beside the known causes
	}{
		{"another cause", "a:v1 b:v2 f8", "a", "b:v0"},
		{"nothing else", "a:v1 f8", "a", "none"},
		{"a failure beside a value", "a:v1 b:fail v7", "a", "b:fail"},
		{"two others", "a:v1 b:v2 c:v3", "ab", "c:v0"},
		{"what differs only without the known cause", "a:v1 b:v2", "b", "a:v0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := changing(t, "abc", nil, c.input)
			masked, err := r.repairs.Build(t.Context(), partOf("abc", c.known))
			if err != nil || masked == nil {
				t.Fatalf("%v, %v", masked, err)
			}
			x := r.trialOf(masked, trial.Hooks{})
			step := lockstep.New(r.trials[before].Engine.Processes, x.Engine.Processes, 1)
			defer step.Close()
			small, err := r.unmask(t.Context(), r.list[0], step, x)
			if err != nil {
				t.Fatal(err)
			}
			if small == nil {
				if c.want != "none" {
					t.Errorf("nothing differs, want %q", c.want)
				}
				return
			}
			if got := strings.TrimSpace(fake.Words(small.Input)); got != c.want || len(changes(small)) == 0 || small.group != r.list[0].group {
				t.Errorf("%q differs in %v, want %q", got, changes(small), c.want)
			}
		})
	}
}

// knownOf are causes of one part each, that were tried.
func (r *attempts) knownOf(hunks string, parts ...string) (all []explained) {
	for _, letters := range parts {
		r.tried = append(r.tried, partOf(hunks, letters))
		all = append(all, explained{cause: new(behavior.Cause), part: len(r.tried) - 1})
	}
	return all
}

// A bucket whose part holds a known cause gets an input that shows what else is in the part,
// and the smallest part that takes this back.
func TestBesideKnownCauses(t *testing.T) {
	for _, c := range []struct {
		name, part  string
		known       []string
		broken      []string
		inputs      []string
		input, left string // the input that is shown, and the part that its bucket gets; "": there is none
	}{
		{"another cause", "ab", []string{"a"}, nil, []string{"a:v1 b:v2"}, "b:v0", "b"},
		{"the smallest part of what is left", "abcd", []string{"a"}, nil, []string{"a:v1 c:v2"}, "c:v0", "c"},
		{"two hunks are needed", "abcd", []string{"a"}, nil, []string{"a:v1 c:v2 d:v2"}, "c:v0 d:v0", "cd"},
		{"nothing is known in it", "bc", []string{"a"}, nil, []string{"b:v1 c:v2"}, "", ""},
		{"the known causes are all of it", "ab", []string{"a", "b"}, nil, []string{"a:v1 b:v2"}, "", ""},
		{"the input shows the known cause only", "ab", []string{"a"}, nil, []string{"a:v1"}, "", ""},
		{"new code without the known causes does not compile", "ab", []string{"a"}, []string{"a"}, []string{"a:v1 b:v2"}, "", ""},
		{"the rest does not compile alone", "ab", []string{"a"}, []string{"b"}, []string{"a:v1 b:v2"}, "", ""},
		{"the smallest input comes first", "ab", []string{"a"}, nil, []string{"a:v1 b:v222", "a:v1 b:v2"}, "b:v0", "b"},
		{"the second input", "ab", []string{"a"}, nil, []string{"a:v1", "a:v1 b:v2"}, "b:v0", "b"},
		{"not the third", "ab", []string{"a"}, nil, []string{"a:v1", "a:v2", "a:v1 b:v2"}, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := changing(t, "abcd", c.broken, c.inputs...)
			all := r.knownOf("abcd", c.known...)
			r.tried = append(r.tried, partOf("abcd", c.part))
			b := &bucket{part: len(r.tried) - 1, list: r.list}
			small, err := r.beside(t.Context(), b, all)
			if err != nil {
				t.Fatal(err)
			}
			if small == nil {
				if c.input != "" || b.part != len(r.tried)-1 {
					t.Errorf("no input, part %d; want %q", b.part, c.input)
				}
				return
			}
			input, left := strings.TrimSpace(fake.Words(small.Input)), lettersOf("abcd", r.tried[b.part])
			if input != c.input || left != c.left {
				t.Errorf("%q by part %q, want %q by %q", input, left, c.input, c.left)
			}
		})
	}
}

// What the part of a bucket has no effect on shows something else.
func TestUnaffected(t *testing.T) {
	r := changing(t, "ab", nil, "a:v1", "a:v1 b:v2", "b:v2")
	r.knownOf("ab", "a")
	b := &bucket{part: 0, list: r.list}
	rest, err := r.unaffected(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	var got [2][]string
	for i, list := range [][]*difference{b.list, rest} {
		for _, d := range list {
			got[i] = append(got[i], strings.TrimSpace(fake.Words(d.Input)))
		}
	}
	if diff := cmp.Diff([2][]string{{"a:v1", "a:v1 b:v2"}, {"b:v2"}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Such inputs are minimized without the causes that are known. They get a part that was
// tried and is no cause yet.
func TestApartFromKnownCauses(t *testing.T) {
	for _, c := range []struct {
		name          string
		tried, broken []string
		inputs        []string
		input, part   string
	}{
		{"no part is known", nil, nil, []string{"b:v2"}, "b:v0", ""},
		{"a part that was tried", []string{"b"}, nil, []string{"b:v2"}, "b:v0", "b"},
		{"the smallest", nil, nil, []string{"b:v222", "b:v2"}, "b:v0", ""},
		{"code without the known causes does not compile", nil, []string{"ac"}, []string{"b:v2"}, "b:v2", ""},
		{"what differs nowhere else stays as it is", nil, nil, []string{"a:v1"}, "a:v1", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := changing(t, "abc", c.broken, c.inputs...)
			all := r.knownOf("abc", "a", "c")
			r.knownOf("abc", c.tried...)
			b := &bucket{part: -1, list: r.list, rest: true}
			small, err := r.apart(t.Context(), b, all)
			if err != nil || small == nil {
				t.Fatalf("%v, %v", small, err)
			}
			part := ""
			if b.part >= 0 {
				part = lettersOf("abc", r.tried[b.part])
			}
			if input := strings.TrimSpace(fake.Words(small.Input)); input != c.input || part != c.part {
				t.Errorf("%q by part %q, want %q by %q", input, part, c.input, c.part)
			}
		})
	}
}
