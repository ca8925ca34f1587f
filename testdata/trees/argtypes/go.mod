module example.com/argtypes

go 1.26
