package main

import (
	"testing"
	"time"
)

func TestLoadReport(t *testing.T) {
	table := loadTable{Title: "Claims", Head: "clients | claims/s | CPU"}
	table.row(8, "100", shares{serve: 3 * time.Millisecond, database: 2 * time.Millisecond, clients: time.Millisecond}.minus(shares{serve: time.Millisecond}).each(2))
	r := &loaded{Machine: "a machine", Tables: []loadTable{table, table}}
	const one = "\nClaims\n\n| clients | claims/s | CPU |\n|---|---:|---:|\n| 8 | 100 | 1000 + 1000 + 500 µs |\n"
	if got, want := r.String(), "a machine\n"+one+one; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
