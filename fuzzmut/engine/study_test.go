package engine

import (
	"slices"
	"testing"
)

func newTestSlots(e *Engine, n int) []*slot {
	c := &campaign{e: e}
	var slots []*slot
	for range n {
		slots = append(slots, &slot{c: c})
	}
	return slots
}

func TestEachEntryIsStudiedByOneWorker(t *testing.T) {
	e := newTestEngine(1)
	for i := range poolShare + 3 {
		e.add([]byte{byte(i)}, nil, 1, true)
	}
	s := newTestSlots(e, 2)
	mine := e.add([]byte("mine"), nil, 1, false)
	mine.pupil, s[0].finds = true, []int{mine.ID}
	var all []int
	for range 3 {
		all = append(all, s[1].toStudy()...)
		all = append(all, s[0].toStudy()...)
	}
	slices.Sort(all)
	if len(all) != len(e.entries) || len(slices.Compact(all)) != len(e.entries) {
		t.Errorf("given out: %v", all)
	}
	if !slices.Contains(s[0].studies, mine.ID) {
		t.Error("what a worker has found is studied by another")
	}
}

func TestStudiesOfADeadWorkerAreTakenUpOnce(t *testing.T) {
	e := newTestEngine(1)
	for i := range 3 {
		e.add([]byte{byte(i)}, nil, 1, true)
	}
	s := newTestSlots(e, 1)[0]
	s.toStudy()
	s.studied([]int{1})
	s.abandon()
	if again := s.toStudy(); !slices.Equal(again, []int{0, 2}) {
		t.Errorf("taken up again: %v", again)
	}
	s.abandon()
	if again := s.toStudy(); len(again) > 0 {
		t.Errorf("taken up a third time: %v", again)
	}
}

func TestWithoutStudyNothingIsGivenOut(t *testing.T) {
	e := newTestEngine(1)
	e.cfg.NoStudy = true
	e.add([]byte("a"), nil, 1, true)
	if list := newTestSlots(e, 1)[0].toStudy(); len(list) > 0 {
		t.Errorf("given out: %v", list)
	}
}
