package engine

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// NativeConfig is what a test binary needs to know under the stock engine. Kills
// are appended to the file named by log.
func (e *Engine) NativeConfig(log string) wire.NativeConfig {
	cfg := wire.NativeConfig{Init: e.Processes.Init(e.Kills.Done()), Filter: e.cfg.Filter, K: e.cfg.K, Seed: e.cfg.Seed, Log: log}
	if cfg.Filter == "split" {
		cfg.Filter = "all" // the stock engine keeps the clock to itself
	}
	return cfg
}

// NativeKills reads the kills that a run of the stock engine has logged. A line
// cut short by the end of a process is skipped.
func NativeKills(log string) ([]wire.Kill, error) {
	data, err := os.ReadFile(log)
	if err != nil {
		if os.IsNotExist(err) {
			return nil, nil
		}
		return nil, fmt.Errorf("reading the stock engine's kills: %w", err)
	}
	var kills []wire.Kill
	sc := bufio.NewScanner(bytes.NewReader(data))
	for sc.Scan() {
		var k wire.Kill
		if json.Unmarshal(sc.Bytes(), &k) == nil {
			kills = append(kills, k)
		}
	}
	return kills, sc.Err()
}

// Note takes the work of a run of the stock engine into account.
func (e *Engine) Note(inputs int64) {
	e.work.addInputs(inputs)
	e.Processes.AddInputs(inputs)
}
