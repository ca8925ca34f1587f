package callers

import (
	"fmt"
	"go/constant"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/instrument/sequence"
)

const scripted = `-- m.go --
package m

import "net/mail"

// An Address is another package's.
type Address = mail.Address

// A Tree has nodes.
type Tree struct {
	Strict bool
	Config Config
	root   *Node
}

type Config struct {
	Deep bool
	Kind Kind
}

type Kind int

const Plain Kind = 1

var Loud bool

func New(name string) (*Tree, error) { return new(Tree), nil }

func (t *Tree) Add(tag string, n int) *Node { return new(Node) }

func (t *Tree) Use(c *Config) {}

// A Node is in a tree.
type Node struct{ Tag string }

func (n *Node) Under(other *Node) {}

func Join(n ...string) Node { return Node{} }

func Named(s string) Kind { return 0 }

type Ruled interface{ Rule() }

func (Config) Rule() {}
-- m_test.go --
package m

import (
	"strings"
	"testing"
)

func open(t *testing.T, name string, c Config) *Tree {
	tree, err := New(name)
	if err != nil {
		t.Fatal(err)
	}
	tree.Config = c
	return tree
}

`

// What tests do with the values of the package is read in the order of the source.
func TestScripts(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       []string
	}{
		{"values of calls", `tree, _ := New("a"); n := tree.Add("b", 1); tree.Add("c", 2).Under(n)`, []string{
			`0, 1 = m.New("a"); 2 = 0.Add("b", 1); 3 = 0.Add("c", 2); 3.Under(2)`,
		}},
		{"a value of a field that is set", "var tree Tree; tree.Strict = true; tree.Config.Deep = true; Loud = true", []string{
			"0 = Tree; 0.Strict = true; 0.Config.Deep = true", // Loud is no selector
		}},
		{"literals", `tree := &Tree{}; tree.Use(&Config{Deep: true, Kind: Plain}); n := Node{Tag: "x"}; n.Under(nil)`, []string{
			`0 = Tree; 1 = Config Config{Deep: true, Kind: Plain}; 0.Use(1 &Config{Deep: true, Kind: Plain}); 2 = Node Node{Tag: "x"}; 2.Under(nil)`,
		}},
		{"a helper", `s := "a"; tree := open(t, s, Config{Deep: true}); tree.Add(s, 3)`, []string{
			`0 = Config Config{Deep: true}; 1, 2 = m.New("a"); 1.Config = Config{Deep: true}; 3 = 1.Add("a", 3)`,
		}},
		{"the lines of a table", `for _, c := range []struct{ in string; n int }{{"a", 1}, {"b", 2}} { t.Run(c.in, func(t *testing.T) { tree, err := New(c.in); if err == nil { tree.Add("x", c.n) } }) }`, []string{
			`0, 1 = m.New("a"); 2 = 0.Add("x", 1)`, `0, 1 = m.New("b"); 2 = 0.Add("x", 2)`,
		}},
		{"a list", `n := Join("a", "b"); n.Under(&n)`, []string{`0 = m.Join("a", "b"); 0.Under(0)`}},
		{"nothing", `t.Log(strings.ToUpper("a"))`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := loadModule(t, scripted+"var _ = strings.ToUpper\n\nfunc TestIt(t *testing.T) {\n"+c.body+"\n}\n")
			var got []string
			for _, s := range newGraph(r).scripts() {
				got = append(got, showScript(s))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// showScript shows what is made by numbers.
func showScript(s sequence.Script) string {
	var made []*sequence.Made
	number := func(m *sequence.Made) string {
		if !slices.Contains(made, m) {
			made = append(made, m)
		}
		return fmt.Sprint(slices.Index(made, m))
	}
	var list []string
	for _, d := range s {
		var args, results []string
		for _, a := range d.Args {
			var parts []string
			if a.Constant != nil {
				text := a.Constant.ExactString()
				if a.Constant.Kind() == constant.Bool {
					text = a.Constant.String()
				}
				parts = append(parts, text)
			}
			if a.Made != nil {
				parts = append(parts, number(a.Made))
			}
			if a.Source != "" && a.Constant == nil {
				parts = append(parts, a.Source)
			}
			args = append(args, strings.Join(parts, " "))
		}
		on := ""
		if d.Receiver != nil {
			on = number(d.Receiver) + "."
		}
		for _, m := range d.Results {
			results = append(results, number(m))
		}
		name := d.Function[strings.LastIndexByte(d.Function, '.')+1:]
		if on == "" && name != "" {
			name = "m." + name
		}
		text := ""
		if len(results) > 0 {
			text = strings.Join(results, ", ") + " = "
		}
		switch {
		case d.Field != "":
			text += on + d.Field + " = " + args[0]
		case d.Function == "":
			text = strings.TrimSpace(text + d.Type + " " + strings.Join(args, ", "))
		default:
			text += on + name + "(" + strings.Join(args, ", ") + ")"
		}
		list = append(list, text)
	}
	return strings.Join(list, "; ")
}

// What tests write down is source for the package alone.
func TestLiterals(t *testing.T) {
	for _, c := range []struct{ name, body, typ, want string }{
		{"a struct", `_ = Config{Deep: true, Kind: Plain}`, "m.Config", "Config{Deep: true, Kind: Plain}"},
		{"a pointer", `_ = &Node{Tag: "a"}`, "*m.Node", `&Node{Tag: "a"}`},
		{"a list with elided types", `_ = []*Node{{Tag: "a"}}`, "[]*m.Node", `[]*Node{{Tag: "a"}}`},
		{"an element with an elided type", `_ = []*Node{{Tag: "a"}}`, "*m.Node", `&Node{Tag: "a"}`},
		{"a variable of the test", `k := Plain + 2; _ = Config{Kind: k}`, "m.Config", "Config{Kind: Plain + 2}"},
		{"a constant of the test", `const tag = "a\nb"; _ = Node{Tag: tag}`, "m.Node", `Node{Tag: "a\nb"}`},
		{"several lines", "_ = Node{\n\tTag: `a\nb`,\n}", "m.Node", `Node{Tag: "a\nb"}`},
		{"a call of the package", `_ = Config{Kind: Named("a")}`, "m.Config", `Config{Kind: Named("a")}`},
		{"a call of the library", `_ = Node{Tag: strings.Repeat("a", 3)}`, "m.Node", `Node{Tag: strings.Repeat("a", 3)}`},
		{"a call of the test", `_ = Node{Tag: t.Name()}`, "m.Node", ""},
		{"a function of the test", `_ = Node{Tag: helped()}`, "m.Node", ""},
		{"a text of a loop", `for _, s := range []string{"a"} { _ = Node{Tag: s} }`, "m.Node", "Node{Tag: " + sequence.TextHole + "}"},
		{"a variable that is not known", `for _, k := range []Kind{2} { _ = Config{Kind: k} }`, "m.Config", ""},
		{"the address of a variable", `n := Node{Tag: "a"}; _ = &n`, "m.Node", `Node{Tag: "a"}`},
		{"a type without a name", `_ = map[string]interface{}{"a": struct{ N int }{1}}`, "map[string]interface{}", `map[string]interface{}{"a": struct{N int}{1}}`},
		{"a type that can't be written", `_ = map[string]interface{ Rule() }{"a": nil}`, "map[string]interface{Rule()}", ""},
		{"a type of a test", `type own struct { A int "x:\"a\"" }; _ = map[string]own{"a": {1}}`, "map[string]m.own", `map[string]struct{A int "x:\"a\""}{"a": {1}}`},
		{"a long one", `_ = Node{Tag: "` + strings.Repeat("a", 200) + `"}`, "m.Node", ""},
		{"no element", `_ = Node{}`, "m.Node", ""},
		{"a conversion", `_ = Config{Kind: Kind(3)}`, "m.Config", "Config{Kind: Kind(3)}"},
		{"a parenthesis and a sign", `_ = Config{Kind: -(Plain)}`, "m.Config", "Config{Kind: -(Plain)}"},
		{"another package's struct by an alias", `_ = []*Address{{"a", "b"}}`, "[]*m.Address", `[]*Address{{Name: "a", Address: "b"}}`},
		{"an element of its type", `_ = []Address{{"a", "b"}}`, "net/mail.Address", ""},
		{"fields with and without names", `_ = []interface{}{Address{"a", "b"}, &Address{Name: "a"}, Config{true, 1}}`, "[]interface{}", `[]interface{}{Address{Name: "a", Address: "b"}, &Address{Name: "a"}, Config{true, 1}}`},
		{"a map", `_ = map[string]Config{"a": {Deep: true}}`, "map[string]m.Config", `map[string]Config{"a": {Deep: true}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := loadModule(t, scripted+"var _ = strings.ToUpper\n\nfunc helped() string { return \"\" }\n\nfunc TestIt(t *testing.T) {\n"+c.body+"\n}\n")
			path := r.Packages[0].Types.Path()
			got := newGraph(r).literals().by[strings.Replace(c.typ, "m.", path+".", 1)]
			if strings.Join(got, "; ") != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	r := loadModule(t, scripted+"var _ = strings.ToUpper\n\nfunc TestIt(t *testing.T) { _ = []any{Config{Deep: true}, &Config{Kind: 1}, Node{Tag: \"a\"}} }\n")
	ruled := r.Packages[0].Types.Scope().Lookup("Ruled").Type()
	if got := strings.Join(newGraph(r).literals().of(ruled), "; "); got != "&Config{Kind: 1}; Config{Deep: true}; Config{Kind: 1}" {
		t.Errorf("of an interface: %s", got)
	}
}
