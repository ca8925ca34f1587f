module example.com/intest

go 1.26
