package engine

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/kills"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A test binary under the stock engine gets the filter for mutants, and which mutants are done with.
func TestConfigurationsForTheStockEngine(t *testing.T) {
	for filter, want := range map[string]string{"all": "all", "adaptive": "adaptive", "split": "all", "none": "none"} {
		e := newTestEngine(Config{Filter: filter, K: 7, Seed: 9})
		dead := len(e.NativeConfig("log").Init.Dead)
		e.Kills.Kill(kills.Kill{Kill: wire.Kill{Mutant: 1}})
		cfg := e.NativeConfig("log")
		if cfg.Filter != want || cfg.K != 7 || cfg.Seed != 9 || cfg.Log != "log" {
			t.Errorf("%s: %+v", filter, cfg)
		}
		if len(cfg.Init.Dead) != dead+1 || !slices.Contains(cfg.Init.Dead, 1) {
			t.Errorf("%s: not to be run are %v", filter, cfg.Init.Dead)
		}
	}
}

// What the stock engine has killed is read from its log, as far as lines are whole.
func TestKillsOfTheStockEngine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	if list, err := NativeKills(path); list != nil || err != nil {
		t.Errorf("without a log: %v, %v", list, err)
	}
	text := `{"Mutant":3,"Kind":"panic","Detail":"boom"}
{"Mutant":5,"Kind":"no kind of ours"}
what is this
{"Mutant":7,"Kind":"fuel"}
{"Mutant":9,"Ki`
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	list, err := NativeKills(path)
	want := []wire.Kill{{Mutant: 3, Kind: oracle.Panic, Detail: "boom"}, {Mutant: 7, Kind: oracle.Fuel}}
	if err != nil || !slices.Equal(list, want) {
		t.Errorf("%+v, %v; want %+v", list, err, want)
	}
	if _, err := NativeKills(filepath.Dir(path)); err == nil {
		t.Error("a directory is read as a log")
	}
}
