module example.com/hangseed

go 1.26
