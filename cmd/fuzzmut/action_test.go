package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
)

// action is what action.yml says, as far as the tests look at it.
type action struct {
	Name, Description string
	Inputs            map[string]struct{ Description, Default string }
	Outputs           map[string]struct{ Description, Value string }
	Runs              struct {
		Using string
		Steps []step
	}
}

// A step runs a script or another action.
type step struct {
	Name, ID, If, Uses, Run, Shell string
	WorkingDirectory               string `yaml:"working-directory"`
	Env, With                      map[string]string
}

func readAction(t *testing.T) *action {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var a action
	if err := yaml.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	return &a
}

var (
	expression = regexp.MustCompile(`\$\{\{ *(.*?) *\}\}`)
	pinned     = regexp.MustCompile(`^[\w-]+/[\w-]+@[0-9a-f]{40}$`)
	inRun      = regexp.MustCompile(`contains\(format\(' \{0\} ', inputs\.run\), ' (\w+) '\)`)
)

func TestTheActionIsPinnedAndTakesNoInputAsCode(t *testing.T) {
	a := readAction(t)
	if a.Runs.Using != "composite" || a.Name == "" || a.Description == "" || len(a.Inputs) < 5 || len(a.Runs.Steps) < 8 {
		t.Errorf("%+v", a)
	}
	for name, in := range a.Inputs {
		if in.Description == "" {
			t.Errorf("input %s has no description", name)
		}
	}
	used := make(map[string]bool)
	for _, s := range a.Runs.Steps {
		for _, text := range append([]string{s.If, s.WorkingDirectory}, mapValues(s.Env, s.With)...) {
			for _, m := range regexp.MustCompile(`inputs\.([\w-]+)`).FindAllStringSubmatch(text, -1) {
				used[m[1]] = true
				if _, ok := a.Inputs[m[1]]; !ok {
					t.Errorf("%s: there is no input %s", s.Name, m[1])
				}
			}
		}
		switch {
		case (s.Run == "") == (s.Uses == ""):
			t.Errorf("%s runs a script and an action, or neither", s.Name)
		case s.Uses != "" && !pinned.MatchString(s.Uses):
			t.Errorf("%s: %s is not pinned to a commit", s.Name, s.Uses)
		case s.Run != "" && (s.Shell != "bash" || expression.MatchString(s.Run)):
			t.Errorf("%s: not for bash, or an expression is in the script, where its value would be code", s.Name)
		}
	}
	for name := range a.Inputs {
		if !used[name] {
			t.Errorf("input %s is not used", name)
		}
	}
}

func mapValues(maps ...map[string]string) (list []string) {
	for _, m := range maps {
		for _, v := range m {
			list = append(list, v)
		}
	}
	return list
}

// job runs the scripts of the action as a runner does.
type job struct {
	t      *testing.T
	action *action
	inputs map[string]string
	dir    string // of the repository
	temp   string // of the runner
	files  map[string]string
	env    []string
	values map[string]string // of expressions
	log    strings.Builder
}

// newJob makes a job with some inputs, in a repository.
func newJob(t *testing.T, dir string, inputs map[string]string, env ...string) *job {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	j := &job{t: t, action: readAction(t), dir: dir, temp: t.TempDir(), inputs: inputs, files: make(map[string]string)}
	j.env = append(os.Environ(), "RUNNER_TEMP="+j.temp, "GOFLAGS=", "GITHUB_BASE_REF=", "GITHUB_REF_NAME=a,b/merge", "RUNNER_OS=Linux")
	j.env = append(j.env, env...)
	for _, name := range []string{"GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY"} {
		j.files[name] = filepath.Join(j.temp, strings.ToLower(name))
		j.env = append(j.env, name+"="+j.files[name])
		if err := os.WriteFile(j.files[name], nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	j.values = map[string]string{"github.action_path": root}
	for name, in := range j.action.Inputs {
		value, ok := inputs[name]
		if !ok {
			value = in.Default
		}
		j.values["inputs."+name] = value
	}
	return j
}

// expand puts values instead of expressions.
func (j *job) expand(text string) string {
	return expression.ReplaceAllStringFunc(text, func(e string) string {
		name := expression.FindStringSubmatch(e)[1]
		value, ok := j.values[name]
		if !ok {
			j.t.Errorf("no value for %s", e)
		}
		return value
	})
}

// wanted reports whether a step is run. failed says that one before it has failed.
func (j *job) wanted(s *step, failed bool) bool {
	if m := inRun.FindStringSubmatch(s.If); m != nil {
		return !failed && strings.Contains(" "+j.values["inputs.run"]+" ", " "+m[1]+" ")
	}
	return !failed || strings.Contains(s.If, "always()") && j.values["steps.prepare.outputs.results"] != ""
}

// run runs the steps that are scripts, and returns the exit code of the job.
func (j *job) run() (code int) {
	j.t.Helper()
	for i := range j.action.Runs.Steps {
		s := &j.action.Runs.Steps[i]
		if s.Run != "" && j.wanted(s, code != 0) {
			code = cmp.Or(code, j.step(s))
		}
	}
	return code
}

// step runs a step that is a script, and returns its exit code.
func (j *job) step(s *step) int {
	j.t.Helper()
	script := filepath.Join(j.temp, "step.sh")
	if err := os.WriteFile(script, []byte(s.Run), 0o666); err != nil {
		j.t.Fatal(err)
	}
	cmd := exec.Command("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script)
	cmd.Dir = filepath.Join(j.dir, j.expand(s.WorkingDirectory))
	cmd.Env = j.env
	for name, value := range s.Env {
		cmd.Env = append(cmd.Env, name+"="+j.expand(value))
	}
	out, err := cmd.CombinedOutput()
	fmt.Fprintf(&j.log, "== %s\n%s", s.Name, out)
	if err != nil && cmd.ProcessState.ExitCode() < 0 {
		j.t.Fatalf("%s: %v\n%s", s.Name, err, out)
	}
	j.after(s)
	return cmd.ProcessState.ExitCode()
}

// after takes in what a step has told the runner.
func (j *job) after(s *step) {
	for line := range strings.Lines(j.read("GITHUB_OUTPUT")) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
			j.values["steps."+s.ID+".outputs."+name] = value
		}
	}
	for line := range strings.Lines(j.read("GITHUB_PATH")) {
		j.env = append(j.env, "PATH="+strings.TrimSpace(line)+string(os.PathListSeparator)+os.Getenv("PATH"))
	}
	if err := os.WriteFile(j.files["GITHUB_OUTPUT"], nil, 0o666); err != nil {
		j.t.Fatal(err)
	}
}

func (j *job) read(name string) string {
	text, err := os.ReadFile(j.files[name])
	if err != nil {
		j.t.Fatal(err)
	}
	return string(text)
}

// result is the text of a file of the results; "" if there is none.
func (j *job) result(name string) string {
	text, _ := os.ReadFile(filepath.Join(j.temp, "fuzzmut", "results", name))
	return string(text)
}

// git runs git in a directory, as a user without settings.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=user", "GIT_AUTHOR_EMAIL=user@example.com", "GIT_COMMITTER_NAME=user", "GIT_COMMITTER_EMAIL=user@example.com",
		"GIT_AUTHOR_DATE=2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// pullRequest makes a repository with a copy of a tree in the directory go, and a clone of it at a
// branch with a commit in which some text of a file is another.
func pullRequest(t *testing.T, tree, file, was, is string) (clone string) {
	t.Helper()
	return pullRequestOf(t, filepath.Join("..", "..", "testdata", "trees", tree), "go", map[string]string{}, file, was, is)
}

// pullRequestOf is that with the files of a directory, and some others, at a place in the
// repository. All of the text that is there is replaced.
func pullRequestOf(t *testing.T, source, place string, others map[string]string, file, was, is string) (clone string) {
	t.Helper()
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("runs the command, by bash")
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash")
	}
	origin := filepath.Join(t.TempDir(), "origin")
	dir := filepath.Join(origin, place)
	if err := os.CopyFS(dir, os.DirFS(source)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, file)
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), was) {
		t.Fatalf("%s has no %q, %v", path, was, err)
	}
	others[file] = string(text)
	for name, content := range others {
		os.Remove(filepath.Join(dir, name)) // the module cache has nothing that can be written
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	git(t, origin, "init", "-q", "-b", "main")
	git(t, origin, "add", ".")
	git(t, origin, "commit", "-qm", "before")
	git(t, origin, "checkout", "-qb", "change")
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(text), was, is)), 0o666); err != nil {
		t.Fatal(err)
	}
	git(t, origin, "commit", "-qam", "change")
	git(t, origin, "commit", "-q", "--allow-empty", "-m", "and nothing")
	clone = filepath.Join(t.TempDir(), "clone")
	// As actions/checkout does it by default: one commit, and no other branch.
	git(t, filepath.Dir(clone), "clone", "-q", "--depth", "1", "--branch", "change", "file://"+origin, clone)
	return clone
}

// moduleSource is the directory of a module's source, from the module proxy.
func moduleSource(t *testing.T, module string) string {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", module)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "GO111MODULE=on", "GOWORK=off", "GOFLAGS=-mod=mod")
	out, err := cmd.Output()
	var got struct{ Dir, Error string }
	if err := errors.Join(err, json.Unmarshal(out, &got)); err != nil || got.Dir == "" {
		t.Fatalf("%s: %v %s", module, err, got.Error)
	}
	return got.Dir
}

// varying is what differs from run to run: times, hashes, and how much was run in which process.
var varying = regexp.MustCompile(`\d+(\.\d+)? m?s\b|\([0-9a-f]{7}\)|(?m)^  \d+ (test runs with a mutant|survivors? not run again).*$`)

// stamped is the version of fuzzmut, which a build has if the go command may ask git for it.
var stamped = regexp.MustCompile(`(?m)^ *"semanticVersion": .*\n`)

// searched is what a search of "fuzzmut diff" has found: which input it is, how many there are,
// and how far the search came. On a slow machine, it is another one.
var searched = regexp.MustCompile("(?m)a different value on .*$|(?s)[\\d,]+ inputs? of `Fuzz.*?\n## ")

// holds compares what a pull request shows with a file, but for what was searched, or rewrites it.
func holds(t *testing.T, name, got string) {
	t.Helper()
	got = varying.ReplaceAllStringFunc(got, func(s string) string {
		switch {
		case strings.HasPrefix(s, "  "):
			return "  ..."
		case strings.HasPrefix(s, "("):
			return "(HASH)"
		}
		return "T"
	})
	got = stamped.ReplaceAllString(got, "")
	path := filepath.Join("..", "..", "testdata", "pullrequest", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(searched.ReplaceAllString(string(want), "..."), searched.ReplaceAllString(got, "...")); diff != "" {
		t.Errorf("%s (-want +got); -update rewrites it:\n%s", path, diff)
	}
}

// actions/setup-go sets GOTOOLCHAIN=local: an older Go than fuzzmut's could not build it, and an
// older one than the module's could not load it.
func TestTheActionChoosesGo(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash")
	}
	for _, test := range []struct{ mod, work, input, want string }{
		{mod: "module m\n\ngo 1.21\n", want: "~1.26.0"},
		{mod: "module m\n", want: "~1.26.0"},
		{mod: "module m\n\ngo 1.27.10\n\nrequire golang.org/x/net v0.47.0\n", want: "~1.27.10"},
		{mod: "module m\r\n\r\ngo 1.27\r\n", want: "~1.27"},
		{mod: "module m\n\ngo 1.24\n\ntoolchain go1.26.5\n", want: "~1.26.5"},
		{mod: "module m\n\ngo 1.27rc2\n\ntoolchain default\n", want: "~1.27"},
		{mod: "module m\n\ngo 1.26.1\n", work: "go 1.27.3\n\nuse ./go\n", want: "~1.27.3"},
		{mod: "module m\n\ngo 1.26.1\n", input: "1.27.x", want: "1.27.x"},
	} {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "go"), 0o777); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"go/go.mod": test.mod, "go.work": test.work} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		j := newJob(t, dir, map[string]string{"working-directory": "go", "go-version": test.input})
		if s := &j.action.Runs.Steps[0]; s.ID != "go" || j.step(s) != 0 {
			t.Fatalf("step %s\n%s", s.Name, &j.log)
		}
		if got := j.expand(j.action.Runs.Steps[1].With["go-version"]); got != test.want {
			t.Errorf("%q gives %s, want %s", test.mod+test.work+test.input, got, test.want)
		}
	}
}

// The pull request reads the minor and the patch number of a version into 32 bits. All unit tests of
// the module pass with it.
func TestTheActionOfAPullRequest(t *testing.T) {
	source := moduleSource(t, "github.com/Masterminds/semver/v3@v3.4.0")
	others := map[string]string{"fuzzmut.toml": "seed = 1\nparallel = 1\n"}
	dir := pullRequestOf(t, source, ".", others, "version.go", `"."), 10, 64)`, `"."), 10, 32)`)
	j := newJob(t, dir, map[string]string{"fuzztime": "3000x"}, "GITHUB_BASE_REF=main")
	if code := j.run(); code != 0 {
		t.Fatalf("exit code %d\n%s", code, &j.log)
	}
	if got := j.values["steps.prepare.outputs.base"]; got != "origin/main" {
		t.Errorf("compared with %q", got)
	}
	if key := j.values["steps.prepare.outputs.module"] + "-" + j.values["steps.prepare.outputs.ref"]; key != "Linux-.-a_b_merge" {
		t.Errorf("key of the cache: %s", key)
	}
	var commands strings.Builder
	for line := range strings.Lines(j.log.String()) {
		if strings.HasPrefix(line, "::warning ") || strings.HasPrefix(line, "::notice ") || strings.HasPrefix(line, "::error ") {
			commands.WriteString(line)
		}
	}
	holds(t, "annotations.txt", commands.String())
	holds(t, "summary.md", j.read("GITHUB_STEP_SUMMARY"))
	holds(t, "comment.md", j.result("comment.md"))
	for _, name := range []string{"diff", "test"} {
		holds(t, name+".sarif", j.result(name+".sarif"))
	}
	for _, name := range []string{"diff", "test", "verify"} {
		if !json.Valid([]byte(j.result(name+".json"))) || j.result(name+".code") == "" {
			t.Errorf("%s.json is no JSON, or there is no code\n%s", name, &j.log)
		}
	}
	if comment := j.result("comment.md"); !strings.Contains(comment, j.result("test.md")) || len(comment) > 1<<16 {
		t.Errorf("comment of %d bytes:\n%s", len(comment), comment)
	}
	if j.result("fuzz.json") != "" {
		t.Error("fuzz was run")
	}
}

func TestTheActionAtNight(t *testing.T) {
	dir := pullRequest(t, "crashes", "README.md", "#", "##")
	inputs := map[string]string{"run": "fuzz", "working-directory": "go", "fuzztime": "2s", "total": "2s", "packages": "."}
	j := newJob(t, dir, inputs)
	if code := j.run(); code != 1 {
		t.Fatalf("exit code %d, and there are failing inputs\n%s", code, &j.log)
	}
	if patch := j.result("corpus.patch"); !strings.Contains(patch, "+go test fuzz v1") || !strings.Contains(patch, "b/go/testdata/fuzz/FuzzRun/") {
		t.Errorf("patch:\n%s\n%s", patch, &j.log)
	}
	if !strings.Contains(j.log.String(), "::error file=go/crashes.go,") || !strings.Contains(j.log.String(), "fuzzmut fuzz: exit code 1\n") {
		t.Errorf("log:\n%s", &j.log)
	}
	if got := j.values["steps.prepare.outputs.base"]; got != "none" {
		t.Errorf("compared with %q", got)
	}
	// What was found is a warning, where nothing is to fail by it. What can't be run is none.
	j = newJob(t, dir, map[string]string{"run": "verify", "fail-on": "", "working-directory": "go", "packages": "./none"})
	if code := j.run(); code != 2 {
		t.Errorf("exit code %d\n%s", code, &j.log)
	}
	j = newJob(t, dir, map[string]string{"run": "diff $(exit 7) tset"})
	if code := j.run(); code != 2 || !strings.Contains(j.log.String(), "::error::fuzzmut: $(exit can't be run") {
		t.Errorf("exit code %d\n%s", code, &j.log)
	}
}

// What the manual gives for a workflow is YAML, and takes inputs that the action has.
func TestWorkflowsOfTheManual(t *testing.T) {
	a := readAction(t)
	blocks := regexp.MustCompile(`(?m)(?:^(?:\t.*)?\n)+`).FindAllString(helpFile("ci"), -1)
	uses, jobs := 0, 0
	for _, b := range blocks {
		b = strings.TrimSpace(strings.ReplaceAll("\n"+b, "\n\t", "\n"))
		if !strings.HasPrefix(b, "on:") && !strings.HasPrefix(b, "fuzzmut:") {
			continue
		}
		var any map[string]any
		if err := yaml.Unmarshal([]byte(b), &any); err != nil {
			t.Errorf("%v in\n%s", err, b)
		}
		var w struct {
			Jobs map[string]struct{ Steps []step }
		}
		if err := yaml.Unmarshal([]byte(b), &w); err != nil {
			t.Errorf("%v in\n%s", err, b)
		}
		jobs++
		for _, j := range w.Jobs {
			for _, s := range j.Steps {
				if !strings.HasPrefix(s.Uses, "fuzzmut/fuzzmut@") {
					continue
				}
				uses++
				for name := range s.With {
					if _, ok := a.Inputs[name]; !ok {
						t.Errorf("there is no input %s", name)
					}
				}
			}
		}
	}
	if uses != 2 || jobs != 3 {
		t.Errorf("%d workflows, %d uses of the action", jobs, uses)
	}
}

// blockOf is what the manual gives for a file, from the line that it begins with.
func blockOf(t *testing.T, topic, begins string) (text string) {
	t.Helper()
	for _, b := range regexp.MustCompile(`(?m)(?:^(?:\t.*)?\n)+`).FindAllString(helpFile(topic), -1) {
		if b = strings.TrimSpace(strings.ReplaceAll("\n"+b, "\n\t", "\n")); strings.HasPrefix(b, begins) {
			text = b
		}
	}
	if text == "" {
		t.Fatalf("the manual has nothing that begins with %q", begins)
	}
	return text
}

// The script of the job of GitLab does what the manual says. Its first line is left out: the
// command is the one that is tested.
func TestTheJobOfGitLab(t *testing.T) {
	dir := pullRequest(t, "version", "version.go", `sign(v.Pre == "")`, `sign(w.Pre == "")`)
	git(t, dir, "fetch", "-q", "--unshallow", "origin", "+refs/heads/main:refs/remotes/origin/main") // GIT_DEPTH is 0
	var file map[string]struct {
		Script    []string
		Artifacts struct {
			Paths   []string
			Reports struct {
				CodeQuality string
				JUnit       []string
			}
		}
	}
	if err := yaml.Unmarshal([]byte(blockOf(t, "ci", "fuzzmut:")), &file); err != nil {
		t.Fatal(err)
	}
	job := file["fuzzmut"]
	if len(job.Script) != 4 || !strings.HasPrefix(job.Script[0], "go install github.com/fuzzmut/fuzzmut/cmd/fuzzmut@") {
		t.Fatalf("script %q", job.Script)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(self, filepath.Join(bin, "fuzzmut")); err != nil {
		t.Fatal(err)
	}
	module := filepath.Join(dir, "go")
	if err := os.WriteFile(filepath.Join(module, "fuzzmut.toml"), []byte("fuzztime = \"3000x\"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", "-eo", "pipefail", "-c", strings.Join(job.Script[1:], "\n"))
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "GOFLAGS=", "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"),
		"CI_MERGE_REQUEST_DIFF_BASE_SHA="+strings.TrimSpace(git(t, dir, "rev-parse", "origin/main")))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range append(job.Artifacts.Paths, job.Artifacts.Reports.JUnit...) {
		if info, err := os.Stat(filepath.Join(module, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v, or it is empty", name, err)
		}
	}
	text, err := os.ReadFile(filepath.Join(module, job.Artifacts.Reports.CodeQuality))
	if err != nil {
		t.Fatal(err)
	}
	var list []struct{ Location struct{ Path string } }
	if err := json.Unmarshal(text, &list); err != nil || len(list) == 0 {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, one := range list {
		if one.Location.Path != "go/version.go" {
			t.Errorf("a notice in %s", one.Location.Path)
		}
	}
}
