package main

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// envFake has the test binary be a fuzzmut that does what the variable says: its words are
// "exit=N" and "sleep=DURATION", "warn", "other" (another binary), "needs-tree" (packed, it fails), "dirty" (it leaves a file in the
// tree), or "die" (it is killed the first time: the file says whether it was).
const envFake = "FLEET_TEST_FAKE"

func TestMain(m *testing.M) {
	if os.Getenv(envCommand) != "" && os.Getenv(envFake) != "" {
		play(strings.Fields(os.Getenv(envFake)))
		return
	}
	os.Exit(m.Run())
}

// fuzzTests are those of the fake's packages.
var fuzzTests = []string{"FuzzA", "FuzzB"}

func binaryOf(words []string) string {
	name := "binary"
	for _, w := range words {
		if w == "other" {
			name = w
		}
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(name)))
}

// packedText is what the fake packs: two parts and a half.
var packedText = sync.OnceValue(func() string {
	text := make([]byte, partMost*5/2)
	for i := range text {
		text[i] = byte(i / partMost)
	}
	return string(text)
})

// play is fuzzmut: what it finds depends on the fuzz test, the seed and what is shared.
func play(words []string) {
	switch {
	case len(os.Args) > 1 && os.Args[1] == kindTest:
		playTest(words)
		return
	case len(os.Args) > 1 && os.Args[1] == kindTriage:
		playTriage(words)
		return
	case len(os.Args) > 1 && os.Args[1] == "merge":
		fmt.Println("merged", len(os.Args)-2)
		return
	}
	set := flag.NewFlagSet("fuzzmut", flag.ExitOnError)
	for _, name := range []string{"q", "n", "golden"} {
		set.Bool(name, false, "")
	}
	var share, file, fuzz, seed, execs, packs, packed string
	for name, p := range map[string]*string{"share": &share, "json": &file, "fuzz": &fuzz, "seed": &seed, "fuzztime": &execs, "pack": &packs, "packed": &packed, "parallel": new(string), "corpus-size": new(string), "corpus": new(string)} {
		set.StringVar(p, name, "", "")
	}
	if err := set.Parse(os.Args[1:]); err != nil {
		panic(err)
	}
	dry := set.Lookup("n").Value.String() == "true"
	var parts []any
	warnings := []string{}
	for _, w := range words {
		name, value, _ := strings.Cut(w, "=")
		switch name {
		case "exit":
			code, _ := strconv.Atoi(value)
			fmt.Println("fuzzmut: as it was told")
			if !dry {
				os.Exit(code)
			}
		case "sleep":
			d, _ := time.ParseDuration(value)
			if !dry {
				time.Sleep(d)
			}
		case "warn":
			warnings = append(warnings, "-share: what is found can't be left")
		case "dirty":
			if !dry {
				write("left", "by a run")
			}
		}
	}
	if _, err := os.Stat("left"); err == nil && !hasWord(words, "dirty") || exists("testdata/fuzz/FuzzA/left") {
		panic("the tree is not what it was")
	}
	if packs != "" {
		write(filepath.Join(packs, binaryOf(words)+".zip"), packedText())
	}
	if packed != "" {
		if text, err := os.ReadFile(packed); err != nil || string(text) != packedText() || set.NArg() > 0 || exists("go.mod") {
			panic(fmt.Sprint("what is packed is not what it was, or there is a tree: ", err))
		}
		if hasWord(words, "needs-tree") {
			fmt.Println("fuzzmut: a file of the tree is not there")
			os.Exit(3)
		}
	}
	for _, f := range fuzzTests {
		if fuzz != "" && fuzz != "^"+f+"$" {
			continue
		}
		killed := []map[string]string{{"package": "example.com/p", "id": f + seed, "status": "killed"}, {"package": "example.com/p", "id": "z", "status": "survived"}}
		for i := range 100 {
			killed = append(killed, map[string]string{"package": "example.com/p", "id": fmt.Sprint("far", i), "status": "not-covered"})
		}
		if !dry {
			n := leave(share, f, seed, binaryOf(words))
			killed = append(killed, map[string]string{"package": "example.com/p", "id": fmt.Sprint(f, "with", n), "status": "killed"})
			write(filepath.Join("testdata", "fuzz", f, "left"), "by a run")
		}
		n, _ := strconv.Atoi(strings.TrimSuffix(execs, "x"))
		parts = append(parts, map[string]any{
			"package": "example.com/p", "name": f, "executions": n, "mutants": killed, "warnings": warnings, "crashes": []map[string]any{{"kind": "panic", "message": "boom " + seed, "frames": []string{"p." + f + " p.go:1"}}},
			"shared": map[string]any{"binary": binaryOf(words), "refused": []int{}},
		})
	}
	text, err := json.Marshal(map[string]any{"tests": parts})
	if err != nil {
		panic(err)
	}
	write(file, string(text))
	os.Exit(1) // failing inputs
}

// playTest is fuzzmut test: of a shard it kills one mutant.
func playTest(words []string) {
	set := flag.NewFlagSet("fuzzmut test", flag.ExitOnError)
	set.Bool("q", false, "")
	dry := set.Bool("n", false, "")
	var share, file, shard string
	for name, p := range map[string]*string{"share": &share, "json": &file, "shard": &shard, "parallel": new(string)} {
		set.StringVar(p, name, "", "")
	}
	if err := set.Parse(os.Args[2:]); err != nil {
		panic(err)
	}
	var packages, mutants []any
	for _, name := range set.Args() {
		if name == "./..." {
			name = "example.com/p"
		}
		packages = append(packages, map[string]any{"package": name, "binary": binaryOf(words), "mutant_runs": 7})
		mutants = append(mutants, map[string]string{"package": name, "id": "m" + shard, "status": "killed"}, map[string]string{"package": name, "id": "n" + shard, "status": "not-covered"})
	}
	if *dry {
		packages = append(packages, map[string]any{"package": "example.com/untested", "untested": true})
	}
	finish(file, map[string]any{"packages": packages, "mutants": mutants})
}

// playTriage is fuzzmut triage: with -cells it leaves a part, and else it says how many are there.
func playTriage(words []string) {
	set := flag.NewFlagSet("fuzzmut triage", flag.ExitOnError)
	set.Bool("q", false, "")
	var share, file, cells string
	for name, p := range map[string]*string{"share": &share, "json": &file, "cells": &cells, "parallel": new(string), "triagetime": new(string), "fuzz": new(string), "crashers": new(string)} {
		set.StringVar(p, name, "", "")
	}
	if err := set.Parse(os.Args[2:]); err != nil {
		panic(err)
	}
	if cells == "" {
		_, err := files(share, nil)
		found, globErr := filepath.Glob(filepath.Join(share, binaryOf(words), "*.log"))
		fmt.Println("sorted with", len(found), "parts", err, globErr)
		os.Exit(1)
	}
	if !strings.HasPrefix(cells, "0/") {
		if !exists(filepath.Join(share, "failing", "example.com", "p", "FuzzA", "00000000000000aa")) {
			panic("no failing input")
		}
		write(filepath.Join(share, binaryOf(words), fmt.Sprintf("log%d.log", time.Now().UnixNano())), cells)
	} else if filepath.Base(share) != "none" {
		write(filepath.Join(share, "fuzzmut-share.json"), "{}")
		write(filepath.Join(share, "failing", "example.com", "p", "FuzzA", "00000000000000aa"), "x")
	}
	finish(file, map[string]any{"tests": []any{map[string]any{
		"package": "example.com/p", "name": "FuzzA", "mutant_executions": 9, "cells": map[string]any{"binary": binaryOf(words)},
	}}})
}

func finish(file string, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	write(file, string(text))
	os.Exit(0)
}

func hasWord(words []string, word string) bool {
	for _, w := range words {
		if w == word {
			return true
		}
	}
	return false
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// leave writes a shared directory as fuzzmut does, and returns how many inputs were there.
func leave(share, fuzz, seed, binary string) int {
	list, err := files(share, nil)
	if err != nil && !os.IsNotExist(err) {
		panic(err)
	}
	n := 0
	for _, name := range list {
		if strings.HasPrefix(name, "entries/") {
			n++
		}
	}
	sum := sha256.Sum256([]byte(fuzz + seed))
	write(filepath.Join(share, "fuzzmut-share.json"), "{}")
	write(filepath.Join(share, "entries", "example.com", "p", fuzz, fmt.Sprintf("%x", sum[:8])), fuzz+seed)
	write(filepath.Join(share, binary, fmt.Sprintf("log%d.log", time.Now().UnixNano())), fuzz+seed)
	return n
}

func write(path, text string) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		panic(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		panic(err)
	}
}
