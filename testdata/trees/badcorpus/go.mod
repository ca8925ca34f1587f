module example.com/badcorpus

go 1.26
