package todofile

// scanList reads the text of a list's file, if it is as Pawl writes it. What it
// leaves in disk when it is not means nothing.
func scanList(text []byte, disk *diskList) bool {
	return scanned(text, func(s *scan) { s.list(disk) })
}

// scanNote is scanList for a line of a log.
func scanNote(line []byte, disk *diskNote) bool {
	return scanned(line, func(s *scan) {
		s.object(func(key []byte) {
			switch string(key) {
			case "what":
				disk.What = s.string()
			case "todo":
				disk.Todo = text(s.string())
			case "content":
				disk.Content = s.sum()
			case "subtask":
				disk.Subtask = s.sum()
			case "project":
				disk.Project = s.string()
			case "id":
				disk.ID = text(s.string())
			case "name":
				disk.Name = s.string()
			case "parameters":
				disk.Parameters = s.raw()
			case "startedAt":
				disk.StartedAt = s.time()
			case "endedAt":
				disk.EndedAt = s.time()
			case "outcome":
				disk.Outcome = s.string()
			default:
				s.giveUp()
			}
		})
	})
}

func (s *scan) list(disk *diskList) {
	s.object(func(key []byte) {
		switch string(key) {
		case "version":
			disk.Version = int(s.number())
		case "session":
			disk.Session = s.string()
		case "agent":
			disk.Agent = s.string()
		case "project":
			disk.Project = s.string()
		case "startedAt":
			disk.StartedAt = s.time()
		case "updatedAt":
			disk.UpdatedAt = s.time()
		case "todos":
			s.once(disk.Todos == nil)
			disk.Todos = s.items()
		case "pause":
			s.once(disk.Pause == nil)
			disk.Pause = &diskPause{}
			s.object(func(key []byte) {
				switch string(key) {
				case "reason":
					disk.Pause.Reason = s.string()
				case "at":
					disk.Pause.At = s.time()
				default:
					s.giveUp()
				}
			})
		case "past":
			s.once(disk.Past == nil)
			disk.Past = s.past()
		case "news":
			s.once(disk.News == nil)
			disk.News = s.strings()
		case "newsAt":
			disk.NewsAt = s.time()
		case "before":
			s.once(disk.Before == nil)
			disk.Before = &diskBefore{}
			s.object(func(key []byte) {
				switch string(key) {
				case "what":
					disk.Before.What = s.string()
				case "at":
					disk.Before.At = s.time()
				case "items":
					s.once(disk.Before.Items == nil)
					disk.Before.Items = s.items()
				default:
					s.giveUp()
				}
			})
		case "callLog":
			s.once(disk.CallLog == nil)
			disk.CallLog = &mark{}
			if disk.CallLog.UnmarshalJSON(s.raw()) != nil {
				s.giveUp()
			}
		default:
			s.giveUp()
		}
	})
}

// once gives up where a list or an object comes a second time: package json
// would mix the two.
func (s *scan) once(first bool) {
	if !first {
		s.giveUp()
	}
}

func (s *scan) items() []diskItem {
	items := make([]diskItem, 0, 16)
	s.array(func() {
		items = append(items, diskItem{})
		s.item(&items[len(items)-1])
	})
	return items
}

func (s *scan) past() []diskPast {
	past := make([]diskPast, 0, 16)
	s.array(func() {
		past = append(past, diskPast{})
		p := &past[len(past)-1]
		s.object(func(key []byte) {
			switch string(key) {
			case "item":
				s.item(&p.Item)
			case "how":
				p.How = s.string()
			case "at":
				p.At = s.time()
			default:
				s.giveUp()
			}
		})
	})
	return past
}

func (s *scan) item(item *diskItem) {
	s.object(func(key []byte) {
		switch string(key) {
		case "id":
			item.ID = text(s.string())
		case "content":
			item.Content = s.string()
		case "status":
			item.Status = s.string()
		case "priority":
			item.Priority = s.string()
		case "activeForm":
			item.ActiveForm = s.string()
		case "blocked":
			item.Blocked = s.bool()
		case "task":
			item.Task = s.number()
		case "subtasks":
			s.once(item.Subtasks == nil)
			item.Subtasks = s.subtasks()
		case "toolCalls":
			s.once(item.ToolCalls == nil)
			item.ToolCalls = s.calls()
		case "createdAt":
			item.CreatedAt = s.time()
		case "startedAt":
			item.StartedAt = s.time()
		case "completedAt":
			item.CompletedAt = s.time()
		default:
			s.giveUp()
		}
	})
}

func (s *scan) subtasks() []diskSub {
	subs := []diskSub{}
	s.array(func() {
		subs = append(subs, diskSub{})
		sub := &subs[len(subs)-1]
		s.object(func(key []byte) {
			switch string(key) {
			case "id":
				sub.ID = text(s.string())
			case "content":
				sub.Content = s.string()
			case "status":
				sub.Status = s.string()
			case "toolCalls":
				s.once(sub.ToolCalls == nil)
				sub.ToolCalls = s.calls()
			default:
				s.giveUp()
			}
		})
	})
	return subs
}

func (s *scan) calls() []diskCall {
	calls := make([]diskCall, 0, 8)
	s.array(func() {
		calls = append(calls, diskCall{})
		call := &calls[len(calls)-1]
		s.object(func(key []byte) {
			switch string(key) {
			case "id":
				call.ID = text(s.string())
			case "name":
				call.Name = s.string()
			case "parameters":
				call.Parameters = s.raw()
			case "startedAt":
				call.StartedAt = s.time()
			case "endedAt":
				call.EndedAt = s.time()
			case "outcome":
				call.Outcome = s.string()
			default:
				s.giveUp()
			}
		})
	})
	return calls
}

// sum reads what todo.ContentSum made.
func (s *scan) sum() uint32 {
	n := s.number()
	s.once(n == int64(uint32(n)))
	return uint32(n)
}
