// Package amp is what Pawl knows of Amp: how it shows itself to the programs that
// it runs.
package amp

import "github.com/pawl-dev/pawl/internal/agent"

// Agent is Amp.
var Agent = agent.Agent{
	Name: "amp", Title: "Amp",
	Marks:    []string{"AMP_CURRENT_THREAD_ID"},
	Session:  "AMP_CURRENT_THREAD_ID",
	Clients:  []string{"amp-"},
	Headless: &headless,
}
