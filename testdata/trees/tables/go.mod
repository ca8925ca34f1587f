module example.com/tables

go 1.26
