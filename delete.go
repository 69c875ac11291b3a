package pawl

import "slices"

func (Delete) Verb() string { return VerbDelete }

func (op Delete) check() []Fault { return checkIDs(op.IDs) }

func (op Delete) apply(x *tx) error {
	return x.each(op.IDs, func(t *Task) error {
		if !op.Force {
			if err := x.mayEnd(t, 0); err != nil {
				return err
			}
		}
		return x.drop(t)
	})
}

// drop removes a task and every reference to it.
func (x *tx) drop(t *Task) error {
	for _, waiter := range slices.Clone(t.Blocks) {
		if err := x.unlink(t.ID, waiter); err != nil {
			return err
		}
	}
	for _, blocker := range slices.Clone(t.Blockers) {
		if err := x.unlink(blocker, t.ID); err != nil {
			return err
		}
	}
	for _, child := range slices.Clone(t.Children) {
		if c, err := x.reachable(child); err != nil {
			return err
		} else if c != nil {
			if err := x.adopt(child, 0); err != nil {
				return err
			}
		}
	}
	if err := x.adopt(t.ID, 0); err != nil {
		return err
	}
	x.remove(t.ID)
	return nil
}
