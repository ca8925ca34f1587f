// Package sarif writes results in the Static Analysis Results Interchange Format, version 2.1.0
// of OASIS, which dashboards of hosting services read.
package sarif

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path"
	"runtime/debug"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/notice"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// most is how many results a file has: hosting services show no more of one run.
const most = 5000

// home is where the tool is described.
const home = "https://github.com/fuzzmut/fuzzmut"

// Format writes notices as SARIF.
type Format struct {
	// Root is what files are put below, with slashes: the way from the root of the repository to
	// that of the module.
	Root string
}

type (
	file struct {
		Schema  string `json:"$schema"`
		Version string `json:"version"`
		Runs    []run  `json:"runs"`
	}
	run struct {
		Tool       tool     `json:"tool"`
		Results    []result `json:"results"`
		ColumnKind string   `json:"columnKind"`
	}
	tool struct {
		Driver driver `json:"driver"`
	}
	driver struct {
		Name           string `json:"name"`
		Version        string `json:"semanticVersion,omitempty"`
		InformationURI string `json:"informationUri"`
		Rules          []rule `json:"rules"`
	}
	rule struct {
		ID               string `json:"id"`
		Name             string `json:"name"`
		ShortDescription text   `json:"shortDescription"`
		FullDescription  text   `json:"fullDescription"`
		HelpURI          string `json:"helpUri"`
		Help             help   `json:"help"`
	}
	help struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown"`
	}
	text struct {
		Text string `json:"text"`
	}
	result struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      text              `json:"message"`
		Locations    []location        `json:"locations"`
		Fingerprints map[string]string `json:"partialFingerprints"`
	}
	location struct {
		Physical physical `json:"physicalLocation"`
	}
	physical struct {
		Artifact artifact `json:"artifactLocation"`
		Region   region   `json:"region"`
	}
	artifact struct {
		URI string `json:"uri"`
	}
	region struct {
		StartLine int `json:"startLine"`
		EndLine   int `json:"endLine"`
	}
)

// Write writes a result.
func (f Format) Write(w io.Writer, r report.Result) error {
	out := run{ColumnKind: "unicodeCodePoints", Results: []result{}}
	out.Tool.Driver = driver{Name: "fuzzmut", Version: version(), InformationURI: home}
	index := make(map[string]int)
	for i, r := range notice.Rules {
		index[r.ID] = i
		out.Tool.Driver.Rules = append(out.Tool.Driver.Rules, rule{
			ID: r.ID, Name: r.Name, ShortDescription: text{r.Text}, FullDescription: text{r.Text + " " + r.Full},
			HelpURI: home + "/blob/main/cmd/fuzzmut/help/formats.txt",
			Help:    help{Text: strings.ReplaceAll(r.Help, "`", ""), Markdown: r.Help},
		})
	}
	list := notice.Of(r)
	for _, n := range list[:min(most, len(list))] {
		n = n.Placed()
		res := result{
			RuleID: n.Rule.ID, RuleIndex: index[n.Rule.ID], Level: n.Level.String(), Message: text{n.Whole()},
			Fingerprints: map[string]string{"fuzzmut/v1": n.ID},
			Locations:    []location{{physical{artifact{f.uri(&n)}, region{n.Line, max(n.Line, n.EndLine)}}}},
		}
		out.Results = append(out.Results, res)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(file{
		Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []run{out},
	})
	if err != nil {
		return fmt.Errorf("write SARIF: %w", err)
	}
	return nil
}

// version is that of the program; "" if it was not built from one.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || !strings.HasPrefix(info.Main.Version, "v") {
		return ""
	}
	return info.Main.Version[1:]
}

// uri is the file as a relative reference, or as a URI if it lies elsewhere.
func (f Format) uri(n *notice.Notice) string {
	u := url.URL{Path: n.FileIn(f.Root)}
	if path.IsAbs(u.Path) {
		u.Scheme = "file"
	}
	return u.String()
}
