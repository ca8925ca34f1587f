module example.com/targetdir

go 1.26
