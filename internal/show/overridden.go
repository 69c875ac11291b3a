package show

import (
	"fmt"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

// Overridden says what a change by name overrode with force: whose work it ended
// or took over, and which reason to hold a task it ignored.
func Overridden(changes []pawl.Change, name string) (warnings []string) {
	for i := range changes {
		c := &changes[i]
		if c.Before == nil || c.After == nil {
			continue
		}
		if was := c.Before.Owner; c.Before.Status == pawl.InProgress && c.After.Status != pawl.InProgress && was != "" && was != name {
			warnings = append(warnings, fmt.Sprintf("%v was with %s", c.ID, text.Line(was)))
		}
		if !c.After.Claim.Live() || c.After.Claim.Token == c.Before.Claim.Token {
			continue
		}
		if was := c.Before.Owner; was != "" && was != c.After.Owner {
			warnings = append(warnings, fmt.Sprintf("%v is taken from %s", c.ID, text.Line(was)))
		}
		if was := c.Before.Hold; was != nil && c.After.Hold == nil {
			warnings = append(warnings, fmt.Sprintf("the hold on %v is lifted: %s", c.ID, text.Line(was.Reason)))
		}
	}
	return warnings
}
