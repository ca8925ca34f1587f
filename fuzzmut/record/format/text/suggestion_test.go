package text

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/suggestion"
	"github.com/fuzzmut/fuzzmut/instrument/goldenfile"
)

func suggested() *suggestion.Report {
	r := &suggestion.Report{Seed: 1, Warnings: []string{"p: a test is not run"}, Packages: []suggestion.Package{{
		Package: "example.com/p", Mutants: 90, Killed: 60, NotJudged: 5, Survivors: 25, NotCovered: 11, Static: 3, Closed: 14,
		Left:     []suggestion.Note{{What: "Keys", Reason: "result 0, of type chan int, has no literal", Mutants: 2}},
		Searches: []suggestion.Search{{Fuzz: "FuzzOf", Function: "Of"}, {Fuzz: "FuzzMake", Function: "Make", Ended: "the code ends its process on 4 inputs, or blocks"}},
	}}}
	p := &r.Packages[0]
	p.Unasserted = 9
	for i := range 7 {
		a := suggestion.Assertion{Test: "TestOf", File: "p_test.go", Line: 20 + i, Call: "p.Of", Value: "result 0 (int)"}
		for k := range max(3-i, 1) {
			a.Closes = append(a.Closes, suggestion.Mutant{ID: fmt.Sprint("m", i, k), File: "p.go", Line: 30 + k, Description: "changed 1 to 2", Reached: true, Seen: "3 vs 0"})
		}
		if i == 1 {
			a.Value, a.Closes[0].Seen = "", ""
		}
		p.Assertions = append(p.Assertions, a)
		p.NotSearched = append(p.NotSearched, suggestion.Note{What: fmt.Sprintf("p.F%d", i), Reason: fmt.Sprintf("no fuzz test can be derived for F%d: its argument f is of type func(); mark a function that creates one", i)})
		p.NotSearched = append(p.NotSearched, suggestion.Note{What: fmt.Sprintf("p.(*T).M%d", i), Reason: fmt.Sprintf("(*T).M%d returns what %d says", i, i)})
	}
	for i := range 11 {
		c := suggestion.Case{Test: "TestOf", Function: "Of", Call: fmt.Sprintf("Of(%d)", i), Result: `21, "<nil>"`}
		p.Open = append(p.Open, suggestion.Open{ID: "m", File: "p.go", Line: 50 + i, Description: "changed > to >=", Why: suggestion.Whys[i%4]})
		for k := range max(4-i, 1) {
			c.Closes = append(c.Closes, suggestion.Mutant{ID: fmt.Sprint("m", 2*i, k), File: "p.go", Line: 10 + k, Description: "changed > to >=", Reached: k == 0, Seen: fmt.Sprintf("Of(%d) = 0, <nil>", i)})
		}
		p.Cases = append(p.Cases, c)
	}
	return r
}

func TestSuggestionsAsText(t *testing.T) {
	for name, o := range map[string]Format{"suggestion.golden": {}, "suggestion-verbose.golden": {Verbose: true}, "suggestion-quiet.golden": {Quiet: true}} {
		var b bytes.Buffer
		if err := o.Write(&b, suggested()); err != nil {
			t.Fatal(err)
		}
		goldenfile.Compare(t, name, b.Bytes())
	}
}

// mutants are some with these IDs.
func mutants(ids ...string) (list []suggestion.Mutant) {
	for _, id := range ids {
		list = append(list, suggestion.Mutant{ID: id})
	}
	return list
}

// What cases close as well is said with the assertions: the numbers do not add up.
func TestAssertionsThatCasesDoWithout(t *testing.T) {
	p := &suggestion.Package{Unasserted: 3, Assertions: []suggestion.Assertion{{Closes: mutants("a", "b")}, {Closes: mutants("c")}}}
	for _, c := range []struct {
		ids  []string
		want string
	}{
		{nil, ""}, {[]string{"d"}, ""}, {[]string{"a", "c", "d"}, ", 2 of them closed by the cases below as well"}, {[]string{"a", "b", "c"}, ", which the cases below close as well"},
	} {
		p.Cases = []suggestion.Case{{Closes: mutants(c.ids...)}, {Closes: mutants(c.ids...)}}
		if got := alsoClosed(p); got != c.want {
			t.Errorf("cases for %q: %q, want %q", c.ids, got, c.want)
		}
	}
}

// Where tests are left out, a survivor is one of the others alone. That is said where survivors are counted.
func TestSuggestionsWithTestsLeftOut(t *testing.T) {
	r := suggested()
	r.Packages[0].Tests, r.Packages[0].LeftOut = 31, []string{"TestA", "TestB"}
	var b bytes.Buffer
	if err := (Format{}).Write(&b, r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"74 with the cases; 11 of the 25 survivors are not covered: no test reaches them; left out: 3 mutants in package initialization, which no case can switch on and fuzzmut test judges; 5 were not run in the time; fuzzmut test judges them all; 2 of 31 tests left out, and may kill some of the survivors\n",
		"\n14 of 25 survivors closed by 11 cases; 2 tests left out may kill others\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
}

// A survivor that no test reaches is one that fuzzmut test calls not covered.
func TestSurvivorsThatAreNotCovered(t *testing.T) {
	for _, c := range []struct {
		survivors, not int
		want           string
	}{{1, 1, "the survivor is"}, {4, 4, "all 4 survivors are"}, {4, 1, "1 of the 4 survivors is"}, {4, 2, "2 of the 4 survivors are"}} {
		if got := notCovered(&suggestion.Package{Survivors: c.survivors, NotCovered: c.not}); got != c.want {
			t.Errorf("%d of %d: %q, want %q", c.not, c.survivors, got, c.want)
		}
	}
}

func TestWrittenSuggestions(t *testing.T) {
	r := suggested()
	r.Packages[0].Written = []string{"fuzzmut_suggest_test.go"}
	var b bytes.Buffer
	if err := (Format{}).Write(&b, r); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); !strings.Contains(text, "\nwritten: fuzzmut_suggest_test.go\nWhat the tests want is what the code does now") || strings.Contains(text, "-write-test") {
		t.Errorf("\n%s", text)
	}
	// Nothing was found: there is nothing to write.
	r.Packages[0].Cases, r.Packages[0].Closed, r.Packages[0].Written = nil, 0, nil
	b.Reset()
	if err := (Format{}).Write(&b, r); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); strings.Contains(text, "-write-test") || !strings.HasSuffix(text, "\n0 of 25 survivors closed by 0 cases\n") {
		t.Errorf("\n%s", text)
	}
}

func withOracles() *suggestion.Report {
	o := &suggestion.Oracles{Proposed: 15, Held: 12, Idle: 2, Asserted: 20}
	for i := range 10 {
		o.Properties = append(o.Properties, suggestion.Property{
			Test: "FuzzParseRoundTrip", Kind: "round trip", Sentence: "Parse reads what T.String returns, as a value that is equal.", Functions: []string{"Parse"},
			Source: "// FuzzParseRoundTrip checks this.\nfunc FuzzParseRoundTrip(f *testing.F) {\n\tf.Add(\"1\")\n\tf.Fuzz(func(t *testing.T, text string) {\n\t\tcheck(t, text)\n\t})\n}\n",
			Kills:  []suggestion.Mutant{{File: "p.go", Line: i + 1, Description: "changed 1 to 2", Seen: `Parse("1") = 2`}, {File: "p.go", Line: i + 20, Description: "changed 2 to 3"}},
		})
	}
	o.Failing = []suggestion.Failing{
		{Kind: "agreement", Sentence: "Valid accepts what Parse reads.", Functions: []string{"Valid", "Parse"}, Input: `"x"`, Failure: "p_test.go:7: Valid(\"x\"): false"},
		{Kind: "order", Sentence: "Less is transitive.", Functions: []string{"Less"}, Input: `""`, Failure: "panic: index out of range", Panic: true},
		{Kind: "order", Sentence: "Less is transitive.", Functions: []string{"Less"}, Input: `"z"`, Failure: "panic: nil", Panic: true},
		{Kind: "bounds", Sentence: "Count is not negative.", Functions: []string{"Count"}, Input: `"y"`, Failure: "Count(\"y\") = -1", Guess: true},
	}
	return &suggestion.Report{Seed: 1, Packages: []suggestion.Package{{Package: "example.com/p", Mutants: 90, Killed: 60, Survivors: 30, Oracles: o}}}
}

func TestPropertiesAsText(t *testing.T) {
	for name, o := range map[string]Format{"oracles.golden": {}, "oracles-verbose.golden": {Verbose: true}} {
		var b bytes.Buffer
		if err := o.Write(&b, withOracles()); err != nil {
			t.Fatal(err)
		}
		goldenfile.Compare(t, name, b.Bytes())
	}
}

func TestWrittenProperties(t *testing.T) {
	r := withOracles()
	r.Packages[0].Written = []string{"fuzzmut_oracles_test.go"}
	var b bytes.Buffer
	if err := (Format{}).Write(&b, r); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); !strings.Contains(text, "\nwritten: fuzzmut_oracles_test.go\nThe properties held on all inputs") || strings.Contains(text, "-write-test") {
		t.Errorf("\n%s", text)
	}
}

// Of a long check the end is shown, which says what is checked; -v shows all of it.
func TestLongChecksAreCut(t *testing.T) {
	r := withOracles()
	var long strings.Builder
	for i := range checkMost {
		indent := "\t\t"
		if i == checkMost-checkEnd+1 {
			indent = "\t\t\t" // the end begins within a statement
		}
		fmt.Fprintf(&long, "%sline%d()\n", indent, i)
	}
	r.Packages[0].Oracles.Properties[0].Source = "func FuzzX(f *testing.F) {\n\tf.Fuzz(func(t *testing.T, b []byte) {\n" + long.String() + "\t})\n}\n"
	for verbose, want := range map[bool]int{false: checkEnd + 1, true: checkMost + 2} {
		var b bytes.Buffer
		if err := (Format{Verbose: verbose}).Write(&b, r); err != nil {
			t.Fatal(err)
		}
		_, text, _ := strings.Cut(b.String(), "     func(t *testing.T, b []byte) {\n")
		text, _, _ = strings.Cut(text, "\n\n")
		if got := 1 + strings.Count(text, "\n") + 1; got != want || strings.Contains(text, "them\n     \t\t") || !strings.HasSuffix(text, fmt.Sprintf("\tline%d()\n     }", checkMost-1)) || verbose == strings.Contains(text, "; -v shows them") {
			t.Errorf("verbose %t: %d lines:\n%s", verbose, got, text)
		}
	}
}

// After an interrupt it is not known of all properties whether they hold.
func TestPropertiesOfAnInterruptedRun(t *testing.T) {
	for interrupted, want := range map[bool]string{false: " hold\n", true: " hold, as far as they were checked\n"} {
		r := withOracles()
		r.Packages[0].Interrupted = interrupted
		var b bytes.Buffer
		if err := (Format{}).Write(&b, r); err != nil {
			t.Fatal(err)
		}
		if text := b.String(); !strings.HasSuffix(text, "12 of 15 proposed properties"+want) {
			t.Errorf("interrupted %t:\n%s", interrupted, text)
		}
	}
}

// The last line has the survivors that a case is to kill whose test an interrupt has kept from running.
func TestCasesOfAnInterruptedRun(t *testing.T) {
	r := &suggestion.Report{Packages: []suggestion.Package{{
		Package: "example.com/p", Survivors: 5, Closed: 2, Interrupted: true, Searches: make([]suggestion.Search, 1),
		Cases: []suggestion.Case{{Call: "F(1)", Closes: mutants("a", "b")}, {Call: "F(2)", Closes: mutants("a", "c")}, {Call: "F(3)", Closes: mutants("d")}},
		Open:  []suggestion.Open{{ID: "a", Why: suggestion.NotRun}, {ID: "d", Why: suggestion.NotKept}, {ID: "b", Why: suggestion.NotRun}},
	}}}
	var b bytes.Buffer
	if err := (Format{}).Write(&b, r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"stay open: 1 made no case that kills; 2 have a case whose test was not run with them\n", "1. F(1)  (may close 2)\n", "2. F(2)  (closes 1, may close 1 more)\n", "3. F(3)  (closes 1)\n", "2 of 5 survivors closed by 3 cases; 2 more have a case whose test was not run with them\n"} {
		if text := b.String(); !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// Of many calls the last one is shown, which is the one that returns the result.
func TestCallsAreCutBeforeTheLast(t *testing.T) {
	long := strings.Repeat("x", 40)
	for _, c := range []struct {
		calls string
		most  int
		want  string
	}{
		{"a := New(1); a.Get()", 30, "a := New(1); a.Get()"},
		{"a := New(1); a.Put(2); a.Put(3); a.Get()", 20, "a := New(1); ... a.Get()"},
		{"a := New(1); a.Put(2); a.Put(3); a.Put(`; \\`, ';', \"\\\"; \")", 50, "a := New(1); a.Put(2); ... a.Put(`; \\`, ';', \"\\\"; \")"},
		{"a := New(1); a.Put(" + long + ")", 40, "a := New(1); a.Put(xxxxxxxxxxxxxx...)"},
		{"a := New(1); a.Put(2); b := New(2); b.Put(" + long + ")", 40, "a := New(1); ... b.Put(xxxxxxxxxxxxxx...)"},
		{"a := New(" + long + "); a.Put(" + long + ")", 20, "a := N... a.Put(xxxx...)"},
		{"Get(" + long + ")", 10, "Get(xxxxxx...)"},
	} {
		if got := cutCalls(c.calls, c.most); got != c.want {
			t.Errorf("%s: %s, want %s", c.calls, got, c.want)
		}
	}
}

// A case shows its calls and what the last one returns in one line, and no sign where that is nothing.
func TestCasesAreOneLine(t *testing.T) {
	for _, c := range []struct{ call, result, want string }{
		{"p := New(); p.Parse()", "Node {\n  Leaf {\n  }\n}\n, nil", "1. p := New(); p.Parse() = Node { Leaf { } } , nil  (closes 1)\n"},
		{"p := New(); p.Add(1)", "", "1. p := New(); p.Add(1)  (closes 1)\n"},
	} {
		r := &suggestion.Report{Packages: []suggestion.Package{{Package: "p", Cases: []suggestion.Case{{Call: c.call, Result: c.result, Closes: []suggestion.Mutant{{}}}}}}}
		var b bytes.Buffer
		if err := (Format{}).Write(&b, r); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), c.want) {
			t.Errorf("no %q in\n%s", c.want, b.String())
		}
	}
}

// Each package with cases has some of them shown.
func TestCasesAreDividedAmongPackages(t *testing.T) {
	with := func(cases ...int) (list []suggestion.Package) {
		for _, n := range cases {
			list = append(list, suggestion.Package{Cases: make([]suggestion.Case, n)})
		}
		return list
	}
	for _, c := range []struct {
		list []suggestion.Package
		want int
	}{
		{with(), 10}, {with(40), 10}, {with(0, 40, 0), 10}, {with(40, 2), 5}, {with(1, 1, 1, 1, 1), 3},
	} {
		if got := casesOfEach(c.list); got != c.want {
			t.Errorf("%d packages: %d, want %d", len(c.list), got, c.want)
		}
	}
}

// Why a survivor is open has a text, with its number.
func TestEachWhyHasAText(t *testing.T) {
	for _, why := range suggestion.Whys {
		if !strings.Contains(whys[why], "%d") {
			t.Errorf("%s: %q", why, whys[why])
		}
	}
}

// A long result that begins as it does now is shown where it differs, on both sides.
func TestThen(t *testing.T) {
	long := strings.Repeat("a", 300)
	for _, c := range []struct{ name, seen, got, want, shown string }{
		{"short", "F(1) = 2", "2", "3", "F(1) = 2"},
		{"not compared", "panic: " + long, "", "", "panic: " + long[:193] + "..."},
		{"differs soon", "F(1) = 2" + long, "2" + long, "3" + long, "F(1) = 2" + long[:99] + "…, and now 3" + long[:99] + "…"},
		{"differs late", "F(1) = " + long + "2", long + "2", long + "3", "F(1) = …" + long[:25] + "2, and now …" + long[:25] + "3"},
		{"was shortened before", "F(1) = …aa2", "…aa2", "…aa3", "F(1) = …aa2, and now …aa3"},
		{"of a long call", "F(" + long + ") = " + long + "2", long + "2", long + "3", "F(" + long[:48] + "...) = …" + long[:25] + "2, and now …" + long[:25] + "3"},
		{"a short result of a long call", "F(" + long + ") = false, <nil>", "false, <nil>", "true, <nil>", "F(" + long[:48] + "...) = false, <nil>"},
		{"a long result of a long call", "F(" + long + "): .Type is 2" + long, "2" + long, "3", "F(" + long[:48] + "...): .Type is 2" + long[:99] + "…, and now 3"},
		{"calls before a short one", "a := New(); a.Set(" + long + "); a.Get() = 7", "7", "8", "a := New(); ... a.Get() = 7"},
	} {
		if got := then(&suggestion.Mutant{Seen: c.seen, Got: c.got, Want: c.want}); got != c.shown {
			t.Errorf("%s: %q, want %q", c.name, got, c.shown)
		}
	}
}

// Where more time is likely to close more, that is said, and once.
func TestSearchesThatWereShort(t *testing.T) {
	const found, searches = "inputs for 2 survivors were found in the last third of the search: a longer -fuzztime", "a longer -fuzztime searches more of the code"
	for name, c := range map[string]struct {
		why  suggestion.Why
		last int
		with bool // an interrupt
		want string
	}{
		"no turn":         {suggestion.NotSearched, 2, false, searches},
		"found late":      {suggestion.NotSeen, 2, false, found},
		"nothing of late": {suggestion.NotSeen, 0, false, ""},
		"interrupted":     {suggestion.NotSearched, 2, true, ""},
	} {
		r := &suggestion.Report{Packages: []suggestion.Package{{
			Package: "example.com/p", Survivors: 1, Searches: make([]suggestion.Search, 1),
			Open: []suggestion.Open{{Why: c.why}}, LastFound: c.last, Interrupted: c.with,
		}}}
		var b bytes.Buffer
		if err := (Format{}).Write(&b, r); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(b.String(), "a longer -fuzztime"); !strings.Contains(b.String(), c.want) || n > 1 || (n == 0) != (c.want == "") {
			t.Errorf("%s: no %q in\n%s", name, c.want, b.String())
		}
	}
}

// What no search reaches may be reached by tests: it is no dead code.
func TestOpenSurvivorsThatTestsReach(t *testing.T) {
	r := &suggestion.Report{Packages: []suggestion.Package{{
		Package: "example.com/p", Survivors: 3, Searches: make([]suggestion.Search, 1),
		Open: []suggestion.Open{{Why: suggestion.NotReached, Reached: true}, {Why: suggestion.NotReached}, {Why: suggestion.NotSeen, Reached: true}},
	}}}
	var b bytes.Buffer
	if err := (Format{}).Write(&b, r); err != nil {
		t.Fatal(err)
	}
	if want := "3 survivors stay open: no input of a search reaches 2, though tests reach 1 of these; 1 changed one, and every"; !strings.Contains(b.String(), want) {
		t.Errorf("no %q in\n%s", want, &b)
	}
}
