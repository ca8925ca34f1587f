package cost

// A known report of inputs that cost too much: a package before and after the fix.
type known struct {
	Name   string
	Report string // its number
	// Module and Package say what is fuzzed; of the standard library Module is "", and the
	// package is copied out of a toolchain, which needs no internal package. InPlace has it
	// fuzzed in its toolchain instead, which has to be one that fuzzmut runs with.
	Module, Package string
	InPlace         bool
	With            string   // another module that Call needs, with its version
	Before, After   string   // versions of the module, or toolchains
	Mutate          []string // packages below Package that do the work; nil: Package alone
	Call            string   // Go statement that uses the package, as p, on the text s
	Seed            string   // Go expression
	Imports         []string
}

// reports are the known reports, by name.
var reports = []known{
	{
		Name: "html", Report: "CVE-2025-47911", Module: "golang.org/x/net", Package: "golang.org/x/net/html", Before: "v0.44.0", After: "v0.45.0",
		Call: "p.Parse(strings.NewReader(s))", Seed: `"<html><body><p>text</p></body></html>"`, Imports: []string{"strings"},
	},
	{
		Name: "language", Report: "CVE-2022-32149", Module: "golang.org/x/text", Package: "golang.org/x/text/language", Before: "v0.3.7", After: "v0.3.8",
		Mutate: []string{"golang.org/x/text/internal/language"},
		Call:   "p.ParseAcceptLanguage(s)", Seed: `"en-US,en;q=0.9,de;q=0.8"`,
	},
	{
		Name: "mail", Report: "CVE-2026-39820, CVE-2026-42499", Package: "net/mail", Before: "go1.26.2", After: "go1.26.8",
		Call: "p.ParseAddressList(s)", Seed: `"Name <a@b.c>, \"q\" <d@e>"`,
	},
	{
		Name: "mail25", Report: "CVE-2025-61725", Package: "net/mail", Before: "go1.25.1", After: "go1.26.8",
		Call: "p.ParseAddressList(s)", Seed: `"Name <a@b.c>, \"q\" <d@e>"`,
	},
	{
		Name: "pem", Report: "CVE-2025-61723", Package: "encoding/pem", Before: "go1.25.1", After: "go1.25.3",
		Call: "p.Decode([]byte(s))", Seed: `"-----BEGIN A-----\nH: v\n\nAAAA\n-----END A-----\n"`,
	},
	{
		Name: "textproto", Report: "CVE-2025-61724", Package: "net/textproto", Before: "go1.25.1", After: "go1.25.3",
		Call: "p.NewReader(bufio.NewReader(strings.NewReader(s))).ReadResponse(220)", Seed: `"220-a\n220 b\n"`, Imports: []string{"bufio", "strings"},
	},
	{
		Name: "mime", Report: "CVE-2026-42504", Package: "mime", Before: "go1.26.3", After: "go1.26.4",
		Call: "new(p.WordDecoder).DecodeHeader(s)", Seed: `"a =?UTF-8?Q?b?= c"`,
	},
	{
		Name: "url", Report: "CVE-2026-56860", Package: "net/url", InPlace: true, Before: "go1.26.2", After: "go1.26.8",
		Call: `if base, err := p.Parse("http://example.com/a/b"); err == nil { base.Parse(s) }`, Seed: `"../c/./d?q=1#f"`,
	},
	{
		Name: "yaml", Report: "CVE-2022-3064", Module: "gopkg.in/yaml.v2", Package: "gopkg.in/yaml.v2", Before: "v2.2.3", After: "v2.2.4",
		Call: "var v any; p.Unmarshal([]byte(s), &v)", Seed: `"a: [1, b]\nc:\n- d\n"`,
	},
	{ // short patterns take for ever where the text is long
		Name: "gjson", Report: "CVE-2021-42248", Module: "github.com/tidwall/gjson", Package: "github.com/tidwall/gjson", Before: "v1.9.2", After: "v1.9.3",
		Mutate: []string{"github.com/tidwall/match"}, Imports: []string{"strings"},
		Call: `p.Get("{\""+strings.Repeat("a", 64)+"\":[{\"b\":1}]}", s)`, Seed: `"a*.b"`,
	},
	{ // an endless loop
		Name: "xpath", Report: "v1.3.6 of the module", Module: "github.com/antchfx/xpath", Package: "github.com/antchfx/xpath", Before: "v1.3.5", After: "v1.3.6",
		With: "github.com/antchfx/xmlquery v1.4.4", Imports: []string{"github.com/antchfx/xmlquery", "strings"},
		Call: `defer func() { recover() }(); doc, _ := xmlquery.Parse(strings.NewReader("<a b='c'><d>e</d></a>")); it := p.MustCompile(s).Select(xmlquery.CreateXPathNavigator(doc)); for it.MoveNext() { }`,
		Seed: `"//a[@b='c' and d]/text()"`,
	},
}
