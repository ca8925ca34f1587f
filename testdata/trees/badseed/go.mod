module example.com/badseed

go 1.26
