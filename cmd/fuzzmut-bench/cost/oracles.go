package cost

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// asked are the known reports of what an oracle that is asked for finds, by the oracle.
var asked = map[string][]known{"overflow": {
	{
		Name: "iavl", Report: "cosmos/iavl, numbers 340 and 347", Module: "github.com/cosmos/iavl", Package: "github.com/cosmos/iavl", Before: "v0.15.0", After: "v0.17.3",
		Call: "defer func() { recover() }(); p.MakeNode([]byte(s))", Seed: `"\x00\x02\x02\x01\x01\x01\x02"`,
	},
	{
		Name: "paho", Report: "CVE-2025-10543", Module: "github.com/eclipse/paho.mqtt.golang", Package: "github.com/eclipse/paho.mqtt.golang/packets", Before: "v1.5.0", After: "v1.5.1",
		Call: "m := p.NewControlPacket(p.Publish).(*p.PublishPacket); m.TopicName = strings.Repeat(s, 1<<13); m.Write(io.Discard)", Seed: `"a/b"`, Imports: []string{"io", "strings"},
	},
	{
		Name: "runc", Report: "CVE-2021-43784", Module: "github.com/opencontainers/runc", Package: "github.com/opencontainers/runc/libcontainer", Before: "v1.0.2", After: "v1.0.3",
		Call: "defer func() { recover() }(); (&p.Bytemsg{Type: 1, Value: bytes.Repeat([]byte(s), 1<<13)}).Serialize()", Seed: `"a/b"`, Imports: []string{"bytes"},
	},
	{
		Name: "gogo", Report: "v1.2.1 of the module: an index after a length", Module: "github.com/gogo/protobuf", Package: "github.com/gogo/protobuf/types", Before: "v1.2.0", After: "v1.2.1",
		Call: "defer func() { recover() }(); new(p.Any).Unmarshal([]byte(s))", Seed: `"\x0a\x01a\x12\x01b\x1a\x01\x01"`,
	},
}, "race": {
	{
		Name: "strcase", Report: "v0.3.0 of the module: acronyms in a map without a lock", Module: "github.com/iancoleman/strcase", Package: "github.com/iancoleman/strcase", Before: "v0.2.0", After: "v0.3.0",
		Call: `var wg sync.WaitGroup; wg.Go(func() { p.ConfigureAcronym(s, "x") }); p.ToCamel(s); wg.Wait()`, Seed: `"id"`, Imports: []string{"sync"},
	},
	{
		Name: "uuid", Report: "v1.1.2 of the module: the node without its lock", Module: "github.com/google/uuid", Package: "github.com/google/uuid", Before: "v1.1.1", After: "v1.1.2",
		Call: `var wg sync.WaitGroup; wg.Go(func() { p.SetNodeID([]byte(s + "123456")) }); p.NewUUID(); wg.Wait()`, Seed: `"id"`, Imports: []string{"sync"},
	},
}}

// found is what an oracle found in one version.
func (b *bench) found(ctx context.Context, k *known, version, oracle string) (found []report.Crash, executions int64, err error) {
	t, err := b.fuzz(ctx, k, version, b.seed, "0", "-oracle", oracle, "-generated", "-filter", "none", "-operators", "guards", "-parallel", "1")
	if err != nil {
		return nil, 0, err
	}
	for i := range t.Crashes {
		if t.Crashes[i].Kind == oracle {
			found = append(found, t.Crashes[i])
		}
	}
	return found, t.Executions, nil
}

// oracle measures what an oracle that is asked for finds in the known reports, or in packages
// without one.
func (b *bench) oracle(ctx context.Context, oracle string, targets bool, names []string) error {
	list := asked[oracle]
	if list == nil {
		return fmt.Errorf("no oracle %q; there are %s", oracle, strings.Join(slices.Sorted(maps.Keys(asked)), ", "))
	}
	if targets {
		list = unreported
	}
	some, err := chosen(list, names)
	if err != nil {
		return err
	}
	fmt.Fprintf(b.out, "%s; -oracle %s, %v for each version, seed %d\n\n", arena.Machine(), oracle, b.budget, b.seed)
	fmt.Fprintln(b.out, "| report | package | version | executions | findings | places |\n|---|---|---|---|---|---|")
	for _, k := range some {
		for _, version := range []string{k.Before, k.After} {
			if version == "" {
				continue
			}
			list, executions, err := b.found(ctx, k, version, oracle)
			if err != nil {
				return fmt.Errorf("%s %s: %w", k.Name, version, err)
			}
			var places []string
			for i := range list {
				if !targets && len(list[i].Frames) > 0 {
					places = append(places, place(list[i].Frames[0]))
				}
			}
			fmt.Fprintf(b.out, "| %s | %s | %s | %d | %d | %s |\n", k.Report, k.Package, version, executions, len(list), strings.Join(places, ", "))
		}
	}
	return nil
}
