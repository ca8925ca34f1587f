module example.com/flakytest

go 1.26
