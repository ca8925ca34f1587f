module example.com/redtest

go 1.26
