package pawl

type tx struct{}

func (Create) verb() string       { return "" }
func (Create) check() []Fault     { return nil }
func (Create) apply(*tx) error    { panic("soon") }
func (Import) verb() string       { return "" }
func (Import) check() []Fault     { return nil }
func (Import) apply(*tx) error    { panic("soon") }
func (Update) verb() string       { return "" }
func (Update) check() []Fault     { return nil }
func (Update) apply(*tx) error    { panic("soon") }
func (ClaimTask) verb() string    { return "" }
func (ClaimTask) check() []Fault  { return nil }
func (ClaimTask) apply(*tx) error { panic("soon") }
func (Start) verb() string        { return "" }
func (Start) check() []Fault      { return nil }
func (Start) apply(*tx) error     { panic("soon") }
func (Complete) verb() string     { return "" }
func (Complete) check() []Fault   { return nil }
func (Complete) apply(*tx) error  { panic("soon") }
func (Reopen) verb() string       { return "" }
func (Reopen) check() []Fault     { return nil }
func (Reopen) apply(*tx) error    { panic("soon") }
func (Release) verb() string      { return "" }
func (Release) check() []Fault    { return nil }
func (Release) apply(*tx) error   { panic("soon") }
func (Assign) verb() string       { return "" }
func (Assign) check() []Fault     { return nil }
func (Assign) apply(*tx) error    { panic("soon") }
func (PutHold) verb() string      { return "" }
func (PutHold) check() []Fault    { return nil }
func (PutHold) apply(*tx) error   { panic("soon") }
func (LiftHold) verb() string     { return "" }
func (LiftHold) check() []Fault   { return nil }
func (LiftHold) apply(*tx) error  { panic("soon") }
func (AddNote) verb() string      { return "" }
func (AddNote) check() []Fault    { return nil }
func (AddNote) apply(*tx) error   { panic("soon") }
func (Delete) verb() string       { return "" }
func (Delete) check() []Fault     { return nil }
func (Delete) apply(*tx) error    { panic("soon") }
func (Renew) verb() string        { return "" }
func (Renew) check() []Fault      { return nil }
func (Renew) apply(*tx) error     { panic("soon") }
