package overlay

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// Two test binaries of the same code differ if the code lies elsewhere: they hold the paths of
// its files. So what a binary is made of is hashed in place of it: what the go command's build
// cache goes by, without the paths.

// listed is what the go command says of a package.
type listed struct {
	ImportPath, Name, Dir, DefaultGODEBUG string
	Standard                              bool
	Module                                *struct {
		Path, Version, GoVersion string
		Replace                  *struct{ Version string }
	}
	GoFiles, CgoFiles, CFiles, CXXFiles, MFiles, HFiles, FFiles, SFiles []string
	SwigFiles, SwigCXXFiles, SysoFiles                                  []string
	EmbedFiles, TestEmbedFiles, XTestEmbedFiles                         []string
}

// listedFields are the names of the members of listed, for the go command.
const listedFields = "-json=ImportPath,Name,Dir,DefaultGODEBUG,Standard,Module,GoFiles,CgoFiles,CFiles,CXXFiles,MFiles,HFiles,FFiles,SFiles,SwigFiles,SwigCXXFiles,SysoFiles,EmbedFiles,TestEmbedFiles,XTestEmbedFiles"

// files are all that the package is compiled from, by their names in Dir.
func (p *listed) files() []string {
	return slices.Concat(p.GoFiles, p.CgoFiles, p.CFiles, p.CXXFiles, p.MFiles, p.HFiles, p.FFiles, p.SFiles,
		p.SwigFiles, p.SwigCXXFiles, p.SysoFiles, p.EmbedFiles, p.TestEmbedFiles, p.XTestEmbedFiles)
}

// foreign reports whether a compiler for another language makes a part of the package.
func (p *listed) foreign() bool {
	return len(p.CgoFiles)+len(p.SwigFiles)+len(p.SwigCXXFiles)+len(p.SysoFiles) > 0
}

// platform are the settings of the go command on which what it compiles depends.
var platform = []string{
	"GOVERSION", "GOOS", "GOARCH", "GOEXPERIMENT", "GOFIPS140",
	"GO386", "GOAMD64", "GOARM", "GOARM64", "GOMIPS", "GOMIPS64", "GOPPC64", "GORISCV64", "GOWASM",
	"CGO_ENABLED", "CC", "CXX", "FC", "AR", "PKG_CONFIG", "CGO_CFLAGS", "CGO_CPPFLAGS", "CGO_CXXFLAGS", "CGO_FFLAGS", "CGO_LDFLAGS",
}

// placing are build flags that say where things are, or how the go command works, and not what
// it makes: the files that they select are hashed.
var placing = []string{"C", "a", "json", "mod", "modcacherw", "modfile", "n", "overlay", "p", "v", "work", "x"}

// unhashed are build flags that have a program or a file of the user's take part in the build.
var unhashed = []string{"toolexec", "pgo", "compiler", "pkgdir"}

// errNoIdentity says that code can't be told from other code by its source alone.
var errNoIdentity = errors.New("what is compiled depends on more than Go source")

// identify returns the hash of what the test binary is made of: the same for the same code at
// another path, with other caches and another fuzzmut that rewrites it alike. The error is
// errNoIdentity if there is no such hash.
func (b *builder) identify(ctx context.Context) (string, error) {
	for _, name := range unhashed {
		if b.tool.Given(name) {
			return "", errNoIdentity
		}
	}
	h := sha256.New()
	io.WriteString(h, "fuzzmut code 1\n") //nolint:errcheck // a hash takes all
	if err := b.hashSettings(ctx, h); err != nil {
		return "", err
	}
	args := append([]string{"list", "-deps", "-test", listedFields, "-overlay=" + overlayFile(b.cfg.WorkDir)}, b.tool.Flags...)
	out, err := b.tool.Go(ctx, append(args, b.cfg.Loaded.Test.ImportPath)...)
	if err != nil {
		return "", err
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			return hex.EncodeToString(h.Sum(nil)), nil
		case err != nil:
			return "", fmt.Errorf("go list: %w", err)
		}
		if err := b.hashPackage(h, &p); err != nil {
			return "", err
		}
	}
}

// hashSettings hashes the settings and flags of the build.
func (b *builder) hashSettings(ctx context.Context, h hash.Hash) error {
	out, err := b.tool.Go(ctx, append([]string{"env", "-json"}, platform...)...)
	if err != nil {
		return err
	}
	var settings map[string]string
	if err := json.Unmarshal(out, &settings); err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	for _, name := range platform {
		fmt.Fprintf(h, "%s %q\n", name, settings[name])
	}
	fmt.Fprintf(h, "flags %q native %v\n", b.tool.Making(placing...), b.cfg.Native)
	return nil
}

// hashPackage hashes what a package is compiled from.
func (b *builder) hashPackage(h hash.Hash, p *listed) error {
	if !p.Standard && p.foreign() {
		return errNoIdentity
	}
	fmt.Fprintf(h, "package %q %q %q %v", p.ImportPath, p.Name, p.DefaultGODEBUG, p.Standard)
	if m := p.Module; m != nil {
		fmt.Fprintf(h, " %q %q %q", m.Path, m.Version, m.GoVersion)
		if m.Replace != nil {
			fmt.Fprintf(h, " %q", m.Replace.Version)
		}
	}
	for _, name := range p.files() {
		path := filepath.Join(p.Dir, name)
		if filepath.IsAbs(name) {
			path, name = name, "main" // the main function of the tests, in a file of the build cache
		}
		sum, err := b.hashFile(p.ImportPath, path)
		if err != nil {
			return err
		}
		fmt.Fprintf(h, " %q %x", filepath.ToSlash(name), sum)
	}
	_, err := io.WriteString(h, "\n")
	return err
}

// hashFile hashes what the compiler reads for the file at path. Where rewritten code says which
// file it is of, the package stands in place of the directory.
func (b *builder) hashFile(importPath, path string) ([]byte, error) {
	h := sha256.New()
	to, ok := b.replaced[path]
	if !ok {
		err := hashInto(h, path)
		return h.Sum(nil), err
	}
	text, err := os.ReadFile(to)
	if err != nil {
		return nil, err
	}
	origin := b.places.back(path)
	for _, from := range []string{origin, filepath.ToSlash(origin)} {
		for _, comment := range []string{"//line ", "/*line "} {
			text = bytes.ReplaceAll(text, []byte(comment+from+":"), []byte(comment+importPath+"/"+filepath.Base(path)+":"))
		}
	}
	h.Write(text)
	return h.Sum(nil), nil
}

func hashInto(h hash.Hash, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(h, f)
	return err
}

// identity is what identify returns; "" if the binary itself has to be hashed.
func (b *builder) identity(ctx context.Context) string {
	if !b.cfg.Identify {
		return ""
	}
	name, err := b.identify(ctx)
	if err != nil {
		return ""
	}
	return name
}
