module example.com/unstable

go 1.26
