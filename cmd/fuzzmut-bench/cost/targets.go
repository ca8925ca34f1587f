package cost

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
)

// unreported are functions that read a text, of packages with no report that is known here.
// Before is the version; of the standard library that of the toolchain in use.
var unreported = []known{
	{Name: "semver", Module: "github.com/Masterminds/semver/v3", Package: "github.com/Masterminds/semver/v3", Before: "v3.4.0", Call: "p.NewConstraint(s)", Seed: `">= 1.2.3, < 2 || ~4"`},
	{Name: "gjson", Module: "github.com/tidwall/gjson", Package: "github.com/tidwall/gjson", Before: "v1.18.0", Call: "p.Parse(s).Value()", Seed: `"{\"a\":[1,true,\"b\"]}"`},
	{Name: "toml", Module: "github.com/BurntSushi/toml", Package: "github.com/BurntSushi/toml", Before: "v1.5.0", Call: "var v map[string]any; p.Unmarshal([]byte(s), &v)", Seed: `"a = 1\n[b]\nc = [\"d\", 2]\n"`},
	{Name: "gotoml", Module: "github.com/pelletier/go-toml/v2", Package: "github.com/pelletier/go-toml/v2", Before: "v2.2.4", Mutate: []string{"github.com/pelletier/go-toml/v2/unstable"}, Call: "var v map[string]any; p.Unmarshal([]byte(s), &v)", Seed: `"a = 1\n[b]\nc = [\"d\", 2]\n"`},
	{Name: "ini", Module: "gopkg.in/ini.v1", Package: "gopkg.in/ini.v1", Before: "v1.67.0", Call: "p.Load([]byte(s))", Seed: `"[a]\nb = c\n; d\n"`},
	{Name: "godotenv", Module: "github.com/joho/godotenv", Package: "github.com/joho/godotenv", Before: "v1.5.1", Call: "p.Unmarshal(s)", Seed: `"A=b\nC=\"${A} d\" # e\n"`},
	{Name: "uuid", Module: "github.com/google/uuid", Package: "github.com/google/uuid", Before: "v1.6.0", Call: "p.Parse(s)", Seed: `"urn:uuid:f47ac10b-58cc-0372-8567-0e02b2c3d479"`},
	{Name: "decimal", Module: "github.com/shopspring/decimal", Package: "github.com/shopspring/decimal", Before: "v1.4.0", Call: "p.NewFromString(s)", Seed: `"-12.5e3"`},
	{Name: "cron", Module: "github.com/robfig/cron/v3", Package: "github.com/robfig/cron/v3", Before: "v3.0.1", Call: "p.ParseStandard(s)", Seed: `"*/5 1,2 1-3 * MON"`},
	{Name: "shellwords", Module: "github.com/mattn/go-shellwords", Package: "github.com/mattn/go-shellwords", Before: "v1.0.12", Call: "p.Parse(s)", Seed: `"a 'b c' \"d\" e\\ f"`},
	{Name: "glob", Module: "github.com/gobwas/glob", Package: "github.com/gobwas/glob", Before: "v0.2.3", Mutate: []string{"github.com/gobwas/glob/..."}, Call: "p.Compile(s)", Seed: `"{a,b*}[!c-d]?"`},
	{Name: "etree", Module: "github.com/beevik/etree", Package: "github.com/beevik/etree", Before: "v1.5.0", Call: "p.NewDocument().ReadFromString(s)", Seed: `"<a b=\"c\"><d/>e</a>"`},
	{Name: "shellquote", Module: "github.com/kballard/go-shellquote", Package: "github.com/kballard/go-shellquote", Before: "v0.0.0-20180428030007-95032a82bc51", Call: "p.Split(s)", Seed: `"a 'b c' \"d\" e\\ f"`},
	{Name: "version", Module: "github.com/hashicorp/go-version", Package: "github.com/hashicorp/go-version", Before: "v1.7.0", Call: "p.NewConstraint(s)", Seed: `">= 1.0, < 1.4-beta"`},
	{Name: "humanize", Module: "github.com/dustin/go-humanize", Package: "github.com/dustin/go-humanize", Before: "v1.0.1", Call: "p.ParseBytes(s)", Seed: `"1,005.03 MiB"`},
	{Name: "jsonparser", Module: "github.com/buger/jsonparser", Package: "github.com/buger/jsonparser", Before: "v1.1.1", Call: `p.Get([]byte(s), "a", "[1]")`, Seed: `"{\"b\":{},\"a\":[1,{\"c\":2}]}"`},
	{Name: "shlex", Module: "github.com/google/shlex", Package: "github.com/google/shlex", Before: "v0.0.0-20191202100458-e7afc7fbc510", Call: "p.Split(s)", Seed: `"a 'b c' \"d\" # e"`},
	{Name: "dns", Module: "golang.org/x/net", Package: "golang.org/x/net/dns/dnsmessage", Before: "v0.55.0", Call: "new(p.Message).Unpack([]byte(s))", Seed: `"\x00\x01\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x01a\x00\x00\x01\x00\x01"`},
	{Name: "csv", Package: "encoding/csv", Before: "local", Call: "p.NewReader(strings.NewReader(s)).ReadAll()", Seed: `"a,\"b\"\"c\"\n1,2\n"`, Imports: []string{"strings"}},
	{Name: "scanner", Package: "text/scanner", Before: "local", Call: "var sc p.Scanner; sc.Init(strings.NewReader(s)); for sc.Scan() != p.EOF { }", Seed: `"a := 1.5 // b\n"`, Imports: []string{"strings"}},
}

// chosen are those of the names, or all.
func chosen(list []known, names []string) (some []*known, err error) {
	for i := range list {
		if len(names) == 0 || slices.Contains(names, list[i].Name) {
			some = append(some, &list[i])
		}
	}
	if len(some) == 0 {
		return nil, fmt.Errorf("there is none of the names %q", names)
	}
	return some, nil
}

// silent measures packages without a report. An input that may be a new weakness of somebody
// else's module is not printed.
func (b *bench) silent(ctx context.Context, names []string) error {
	list, err := chosen(unreported, names)
	if err != nil {
		return err
	}
	fmt.Fprintf(b.out, "%s; %v for each package, seed %d\n\n", arena.Machine(), b.budget, b.seed)
	fmt.Fprintln(b.out, "| package | version | costly inputs | exponents of work or bytes | of processor time |\n|---|---|---|---|---|")
	findings, silent := 0, 0
	for _, k := range list {
		costs, err := b.costs(ctx, k, k.Before)
		if err != nil {
			return fmt.Errorf("%s: %w", k.Name, err)
		}
		var exponents, times []string
		for i := range costs {
			exponents = append(exponents, fmt.Sprintf("%.2f", costs[i].Exponent))
			times = append(times, fmt.Sprintf("%.2f", costs[i].TimeExponent))
		}
		findings += len(costs)
		if len(costs) == 0 {
			silent++
		}
		fmt.Fprintf(b.out, "| %s | %s | %d | %s | %s |\n", k.Package, k.Before, len(costs), strings.Join(exponents, ", "), strings.Join(times, ", "))
	}
	fmt.Fprintf(b.out, "\n%d of %d packages without a costly input; %d in the others\n", silent, len(list), findings)
	return nil
}
