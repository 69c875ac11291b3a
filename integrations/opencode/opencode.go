// Package opencode holds Pawl's plugin for opencode, which is a file that
// opencode loads: see pawl.js.
package opencode

import _ "embed"

// Plugin is the text of the plugin. It is installed as .opencode/plugin/pawl.js
// of a project, or of the user's folder of settings.
//
//go:embed pawl.js
var Plugin string
