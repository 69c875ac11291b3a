//go:build !linux

package main

import (
	"errors"
	"os"
)

var errElsewhere = errors.New("processes and terminals are looked at as on Linux: measure there")

func measure(plan) (*report, error)               { return nil, errElsewhere }
func measureLoad(plan, loadPlan) (*loaded, error) { return nil, errElsewhere }
func measureTeam(plan) (*teamed, error)           { return nil, errElsewhere }
func watchScreens(plan) (screens, error)          { return nil, errElsewhere }
func (s soak) run(plan) (*soaked, error)          { return nil, errElsewhere }
func dataSync(f *os.File) error                   { return f.Sync() }
func peak(int) int64                              { return 0 }
