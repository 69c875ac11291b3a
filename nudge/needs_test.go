package nudge_test

import (
	"testing"

	"github.com/pawl-dev/pawl/nudge"
)

// Facts cost their reader time, so an event asks for few, and most for none.
func TestNeeds(t *testing.T) {
	var (
		none  nudge.Need
		list  = nudge.Need{List: true}
		tasks = nudge.Need{Tasks: true}
		work  = nudge.Need{List: true, Tasks: true}
		all   = nudge.Need{List: true, Tasks: true, Board: true}
	)
	for _, c := range []struct {
		before []string
		event  string
		want   nudge.Need
	}{
		{nil, "start startup", all},
		{nil, "start compact", all},
		{[]string{"settings tokens=0"}, "start startup", none},
		{nil, "prompt Fix it.", list},
		{nil, "prompt", none},
		{nil, "prompt notice Fix it.", none},
		{nil, "prompt silent Fix it.", all},
		{nil, "prompt silent notice Fix it.", all},
		{[]string{"settings tokens=0"}, "prompt silent Fix it.", list},
		{[]string{"settings reminders=off"}, "prompt Fix it.", none},
		{[]string{"compaction"}, "prompt Fix it.", all},
		{[]string{"compaction"}, "prompt deaf Fix it.", none},
		{[]string{"compaction", "prompt deaf Fix it."}, "call", all},
		{[]string{"compaction", "call deaf"}, "call", all},
		{[]string{"compaction", "start deaf compact"}, "call", all},
		{nil, "start deaf startup", none},
		{[]string{"call x9"}, "call deaf", none},
		{[]string{"call x9", "call deaf"}, "call", list},
		{[]string{"compaction", "start compact"}, "prompt Fix it.", list},
		{[]string{"todos [>] Fix it", "stop"}, "echo <tag> | </tag>", none},
		{nil, "call", none},
		{nil, "call updates", none},
		{nil, "call own", tasks},
		{nil, "call own failed", none},
		{[]string{"settings tokens=0"}, "call own", none},
		{[]string{"call x9"}, "call", list},
		{[]string{"call x9"}, "call updates", none},
		{[]string{"call x10"}, "call", none},
		{[]string{"settings reminders=off", "call x9"}, "call", none},
		{[]string{"settings staleAfter=0", "call x9"}, "call", none},
		{[]string{"compaction"}, "call", all},
		{[]string{"compaction", "call"}, "call", none},
		{nil, "stop", work},
		{nil, "stop Shall I?", none},
		{nil, "stop jobs=1", none},
		{nil, "stop active", none},
		{[]string{"todos [>] Fix it", "stop"}, "stop active", work},
		{[]string{"interrupt"}, "stop", none},
		{[]string{"helper ada"}, "stop", none},
		{[]string{"helper ada", "helper done ada"}, "stop", work},
		{[]string{"settings continue=off"}, "stop", none},
		{[]string{"settings attempts=0"}, "stop", none},
		{[]string{"todos [>] Fix it", "settings perPrompt=0", "stop"}, "stop", none},
		{nil, "compaction", none},
		{nil, "interrupt", none},
		{nil, "helper ada", none},
		{nil, "helper done ada", none},
		{nil, "end", none},
	} {
		s := newSession(t)
		for _, command := range c.before {
			s.play(command)
		}
		if s.play(c.event); s.needs != c.want {
			t.Errorf("%q after %q needs %+v, want %+v", c.event, c.before, s.needs, c.want)
		}
	}
	s := newSession(t)
	for _, kind := range []nudge.Kind{nudge.CallBegins, "", "of a later version"} {
		if d := s.decide(nudge.Event{Kind: kind, Text: "Fix it"}); s.needs != none || d != (nudge.Decision{}) {
			t.Errorf("%q needs %+v and says %+v", kind, s.needs, d)
		}
	}
}
