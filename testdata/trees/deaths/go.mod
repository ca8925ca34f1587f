module example.com/deaths

go 1.26
