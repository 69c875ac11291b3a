package pawl

import (
	"fmt"
	"slices"
)

// Verb returns the verb of the last op, so the caller puts the most telling op last.
func (op All) Verb() string {
	if len(op.Ops) == 0 || !single(op.Ops[len(op.Ops)-1]) {
		return VerbUpdate
	}
	return op.Ops[len(op.Ops)-1].Verb()
}

// single reports whether op is one op of its own.
func single(op Op) bool {
	switch op.(type) {
	case nil, All, Undo, revert:
		return false
	}
	return byValue(op)
}

func (op All) check() []Fault {
	var f faults
	switch {
	case len(op.Ops) == 0:
		f.add("ops", "is empty")
	case len(op.Ops) > MaxRequests:
		f.add("ops", "has %d ops; the most is %d", len(op.Ops), MaxRequests)
		return f
	}
	for i, one := range op.Ops {
		at := fmt.Sprintf("ops[%d]", i)
		if !single(one) {
			f.add(at, "cannot be a part of another op")
			continue
		}
		for _, fault := range one.check() {
			fault.Path = at + "." + fault.Path
			f = append(f, fault)
		}
	}
	return f
}

func (op All) apply(x *tx) error {
	var ids []ID
	for _, one := range op.Ops {
		x.res.IDs = nil
		if err := one.apply(x); err != nil {
			return err
		}
		for _, id := range x.res.IDs {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	x.res.IDs = ids
	return nil
}
