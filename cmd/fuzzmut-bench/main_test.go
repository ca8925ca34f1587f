package main

import (
	"os"
	"strings"
	"testing"
)

func TestBenchesAreDocumentedAndHaveATargetOfTheMakefile(t *testing.T) {
	source, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range benches {
		if !strings.Contains(string(source), "\n//\tfuzzmut-bench "+b.name+" ") {
			t.Errorf("the package comment has no line on %s", b.name)
		}
		if !strings.Contains(string(makefile), "\nbench-"+b.name+":\n") {
			t.Errorf("the Makefile has no target bench-%s", b.name)
		}
	}
}

func TestAnUnknownBenchIsRefused(t *testing.T) {
	for _, args := range [][]string{nil, {"nothing"}, {""}} {
		if err := run(args); err == nil || !strings.Contains(err.Error(), "corpus|cost|crashes|defaults|diff|diff-mutants|engine|") {
			t.Errorf("%q: %v", args, err)
		}
	}
}
