module github.com/fuzzmut/fuzzmut/testdata/properties/rapid

go 1.26.0

require (
	github.com/fuzzmut/fuzzmut v0.0.0
	pgregory.net/rapid v1.3.0
)

replace github.com/fuzzmut/fuzzmut => ../../..
