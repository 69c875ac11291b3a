package wire

import (
	"mime"
	"strings"
)

// IsJSON reports whether a Content-Type is that of JSON, which is UTF-8.
func IsJSON(contentType string) bool {
	kind, params, err := mime.ParseMediaType(contentType)
	charset, named := params["charset"]
	return err == nil && kind == "application/json" && (!named || strings.EqualFold(charset, "utf-8"))
}
