module example.com/sorter

go 1.26
