package text

import "github.com/fuzzmut/fuzzmut/fuzzmut/record/report"

// costs shows the inputs that cost too much.
func (t *text) costs(f *report.FuzzTest) {
	if len(f.Costs) == 0 {
		return
	}
	t.linef("\n  costly inputs: %s", report.Plural(len(f.Costs), "place"))
	for i := range f.Costs {
		c := &f.Costs[i]
		t.linef("    %s", c.Growth())
		t.frames(c.Frames)
		for _, line := range c.Lines() {
			t.linef("      %s", line)
		}
		for j := range c.Repairs {
			t.linef("      this change stops it, and breaks nothing that the corpus shows:")
			t.remedy(&c.Repairs[j])
		}
	}
}
