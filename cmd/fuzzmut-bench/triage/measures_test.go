package triage

import (
	"math"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/triage"
)

func TestCurves(t *testing.T) {
	if got := areaOver([]int{1, 1, 3, 3}, idealCurve(4, 4)); got != 0.8 {
		t.Errorf("area %v, want 0.8", got)
	}
	if got := plateauOf([]int{1, 1, 1, 2, 2, 3}); got != 2 {
		t.Errorf("plateau %v, want 2", got)
	}
}

func TestAgreement(t *testing.T) {
	for _, tt := range []struct {
		clusters, labels []int
		want             agreement
	}{
		{[]int{0, 0, 1, 1}, []int{1, 1, 0, 0}, agreement{Clusters: 2, Labels: 2, Purity: 1, Completeness: 1, Precision: 1, Recall: 1, ARI: 1}},
		{[]int{0, 0, 0, 0}, []int{0, 0, 1, 1}, agreement{Clusters: 1, Labels: 2, Purity: 0.5, Completeness: 1, Precision: 1.0 / 3, Recall: 1}},
		{[]int{0, 1, 2, 3}, []int{0, 0, 1, 1}, agreement{Clusters: 4, Labels: 2, Purity: 1, Completeness: 0.5, Precision: 1}},
		{[]int{0, 1, 0, 1}, []int{0, 0, 1, 1}, agreement{Clusters: 2, Labels: 2, Purity: 0.5, ARI: -0.5}},
	} {
		got := compare(tt.clusters, tt.labels)
		got.Completeness, got.ARI = math.Round(got.Completeness*1e9)/1e9, math.Round(got.ARI*1e9)/1e9
		if got != tt.want {
			t.Errorf("%v with %v: %+v, want %+v", tt.clusters, tt.labels, got, tt.want)
		}
	}
}

func TestClusterFuzzRule(t *testing.T) {
	stack := func(frames ...string) triage.Stack { return triage.Stack{Kind: "panic", Frames: frames} }
	base := stack("p.leaf", "p.parseValue", "p.parseObject", "p.Parse")
	for _, tt := range []struct {
		name        string
		other       triage.Stack
		clusterFuzz bool
	}{
		{"itself", base, true},
		{"another caller", stack("p.leaf", "p.parseValue", "p.parseObject", "p.Other"), true},
		{"two frames in common", stack("p.x", "p.leaf", "p.parseValue"), true},
		{"nothing", stack("p.a", "p.b", "p.c"), false},
		{"nearly the same names", stack("p.leaf2", "p.parseValue2", "p.parseObject2"), true},
		{"no frames", stack(), false},
		{"another kind", triage.Stack{Kind: "hang", Frames: base.Frames}, false},
	} {
		if got := sameByClusterFuzz(base, tt.other); got != tt.clusterFuzz {
			t.Errorf("%s: ClusterFuzz says %v", tt.name, got)
		}
	}
	m := clusterFuzzMetric([]triage.Stack{base, stack("p.a"), base})
	if m(0, 2) != 0 || m(0, 0) != 0 || m(0, 1) != 1 {
		t.Error("ClusterFuzz's metric")
	}
}
