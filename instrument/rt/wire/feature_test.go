package wire

import "testing"

func TestFeature(t *testing.T) {
	tests := []struct {
		block  uint32
		bucket int
		want   Feature
	}{
		{0, 0, 0},
		{0, 7, 7},
		{1, 0, 8},
		{1 << 20, 3, 8<<20 | 3},
	}
	for _, tt := range tests {
		f := FeatureOf(tt.block, tt.bucket)
		if f != tt.want || f.Block() != int(tt.block) || f.Bucket() != tt.bucket {
			t.Errorf("FeatureOf(%d, %d) = %d with block %d and bucket %d, want %d", tt.block, tt.bucket, f, f.Block(), f.Bucket(), tt.want)
		}
	}
}

func TestFeaturesAreWrittenAsIDs(t *testing.T) {
	text, err := Features{3, 900, 17}.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	if ids, _ := (IDs{3, 900, 17}).MarshalText(); string(text) != string(ids) {
		t.Errorf("features are %q, numbers %q", text, ids)
	}
	var back Features
	if err := back.UnmarshalText(text); err != nil || len(back) != 3 || back[1] != 900 || back[2] != 17 {
		t.Errorf("read %v, %v", back, err)
	}
	if back.UnmarshalText([]byte("/w")) == nil {
		t.Error("a list that ends in the middle of a number is read")
	}
}
