module github.com/fuzzmut/fuzzmut/testdata/properties/fuzz

go 1.26.0

require github.com/fuzzmut/fuzzmut v0.0.0

replace github.com/fuzzmut/fuzzmut => ../../..
