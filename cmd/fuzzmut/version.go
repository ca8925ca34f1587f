package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version prints what this binary was built from and with.
func (t *tool) version(f *flags) error {
	if len(f.opts.Packages) > 0 {
		return usageError("fuzzmut version takes no arguments")
	}
	fmt.Fprintf(t.stdout, "fuzzmut %s %s %s/%s\n", describeBuild(buildInfo()), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}

// buildInfo returns what this binary was built from, nothing if it does not know.
func buildInfo() *debug.BuildInfo {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info
	}
	return new(debug.BuildInfo)
}

// describeBuild names the version in the module's terms, and the commit if the
// go command recorded one.
func describeBuild(info *debug.BuildInfo) string {
	version := info.Main.Version
	if version == "" {
		version = "(devel)"
	}
	settings := make(map[string]string)
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if rev := settings["vcs.revision"]; rev != "" {
		version += " " + rev[:min(12, len(rev))]
		if settings["vcs.modified"] == "true" {
			version += "+changes"
		}
	}
	return version
}
