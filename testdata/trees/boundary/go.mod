module example.com/boundary

go 1.26
