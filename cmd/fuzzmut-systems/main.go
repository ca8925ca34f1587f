// Fuzzmut-systems type-checks packages, unit tests included, for other systems, and has
// those analyzers of go vet look at them that need to know nothing of a dependency. Run
// it in the directory of a module:
//
//	fuzzmut-systems -systems darwin,freebsd,windows ./...
//
// go vet with GOOS says the same and more. But for each system it compiles the standard
// library and all packages, only to know their types, which takes minutes of processor time
// where nothing is cached. Here the sources are parsed once for all systems, and functions
// of dependencies without their bodies.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
)

func main() {
	systems := flag.String("systems", "darwin,freebsd,windows", "the `GOOS` of each system, separated by commas")
	flag.Parse()
	patterns := flag.Args()
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	if err := run(".", strings.Split(*systems, ","), patterns); err != nil {
		fmt.Fprintln(os.Stderr, "fuzzmut-systems:", err)
		os.Exit(1)
	}
}

// run prints what is wrong with the packages in dir for each of the systems.
func run(dir string, systems, patterns []string) error {
	s, err := newSources(dir)
	if err != nil {
		return err
	}
	total := 0
	for _, system := range systems {
		faults, err := s.check(system, patterns)
		if err != nil {
			return fmt.Errorf("for %s: %w", system, err)
		}
		for _, f := range faults {
			fmt.Fprintf(os.Stderr, "for %s: %s\n", system, f)
		}
		total += len(faults)
	}
	if total > 0 {
		return fmt.Errorf("%d faults", total)
	}
	return nil
}
