package plan

import (
	"fmt"
	"html"
	"strings"

	"github.com/pawl-dev/pawl/internal/text"
)

// Plans of the GSD kind have their tasks in tags, between sections in tags of
// their own:
//
//	<task type="auto">
//	  <name>Task 1: Create the schema</name>
//	  <files>src/schema.ts</files>
//	  <action>Write it.</action>
//	  <verify>npm test</verify>
//	  <done>All pass</done>
//	</task>
//
// They run in the order of the text. A checkpoint is a task, too: it waits for a
// person. The text of verify becomes a note.
var (
	tagged  = &text.Regexp{Expr: `(?ms)^[ \t]*<task\b([^>]*)>(.*?)</task>`}
	inTag   = &text.Regexp{Expr: `(?s)<(name|files|action|verify|done|what-built|how-to-verify|decision|context|behavior|implementation)>(.*?)</(?:name|files|action|verify|done|what-built|how-to-verify|decision|context|behavior|implementation)>`}
	waitTag = &text.Regexp{Expr: `type="checkpoint`}
)

func (b *builder) readTagged(text string, lines int) bool {
	if !strings.Contains(text, "<task") || !strings.Contains(text, "</task>") {
		return false
	}
	found := tagged.Get().FindAllStringSubmatchIndex(text, maxItems)
	for _, m := range found {
		at := fmt.Sprintf("line %d", 1+lines+strings.Count(text[:m[0]], "\n"))
		it := &item{at: at, list: 1}
		b.at = at
		var about []string
		for _, part := range inTag.Get().FindAllStringSubmatch(text[m[4]:m[5]], -1) {
			value := strings.TrimSpace(dedent(strings.Split(html.UnescapeString(part[2]), "\n")))
			switch part[1] {
			case "name":
				it.subject = strings.Join(strings.Fields(value), " ")
			case "verify", "done", "how-to-verify":
				it.notes = append(it.notes, strings.ToUpper(part[1][:1])+part[1][1:]+": "+value)
			case "files":
				about = append(about, "Files: "+value)
			default:
				if it.subject == "" && (part[1] == "what-built" || part[1] == "decision") {
					it.subject, _, _ = strings.Cut(value, "\n")
				}
				about = append(about, value)
			}
		}
		if waitTag.Get().MatchString(text[m[2]:m[3]]) {
			it.labels = append(it.labels, "checkpoint")
		}
		it.description = strings.Join(about, "\n\n")
		it.number = fmt.Sprint(len(b.items) + 1)
		b.items = append(b.items, it)
	}
	if len(b.items) > 0 && strings.TrimSpace(tagged.Get().ReplaceAllString(text, "")) != "" {
		b.left = append(b.left, "the text outside of the tasks")
	}
	return len(b.items) > 0
}
