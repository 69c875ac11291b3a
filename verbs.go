package pawl

import (
	"reflect"
	"slices"
)

// The verbs of ops, as JSON and history have them.
const (
	VerbCreate   = "create"
	VerbImport   = "import"
	VerbUpdate   = "update"
	VerbClaim    = "claim"
	VerbStart    = "start"
	VerbComplete = "complete"
	VerbReopen   = "reopen"
	VerbRelease  = "release"
	VerbAssign   = "assign"
	VerbHold     = "hold"
	VerbLift     = "lift"
	VerbNote     = "note"
	VerbCheck    = "check"
	VerbDelete   = "delete"
	VerbRenew    = "renew"
	VerbUndo     = "undo"
	VerbAll      = "all" // several ops as one: in JSON only, history has the verb of the last op
)

// The verbs in history of changes that no op asks for.
const (
	VerbMend   = "mend"   // a repair of the files
	VerbMerge  = "merge"  // the board and another branch of it became one; also the way back
	VerbSync   = "sync"   // what came from other clones of a shared board
	VerbExpire = "expire" // the end of leases
)

// ops has each op as JSON names it.
var ops = [...]struct {
	name string
	zero Op
}{
	{VerbCreate, Create{}},
	{VerbImport, Import{}},
	{VerbUpdate, Update{}},
	{VerbClaim, ClaimTask{}},
	{VerbStart, Start{}},
	{VerbComplete, Complete{}},
	{VerbReopen, Reopen{}},
	{VerbRelease, Release{}},
	{VerbAssign, Assign{}},
	{VerbHold, PutHold{}},
	{VerbLift, LiftHold{}},
	{VerbNote, AddNote{}},
	{VerbCheck, AddEvidence{}},
	{VerbDelete, Delete{}},
	{VerbRenew, Renew{}},
	{VerbUndo, Undo{}},
	{VerbAll, All{}},
}

// Forced reports whether an op asks to override what others have decided: their claims and
// assignments, blockers and holds.
func Forced(op Op) bool {
	v := reflect.Indirect(reflect.ValueOf(op))
	if v.Kind() != reflect.Struct {
		return false
	}
	if all, is := v.Interface().(All); is {
		return slices.ContainsFunc(all.Ops, Forced)
	}
	f := v.FieldByName("Force")
	return f.IsValid() && f.Bool()
}

// opNames lists the names of the ops.
func opNames() []string {
	names := make([]string, len(ops))
	for i := range ops {
		names[i] = ops[i].name
	}
	return names
}

// Ops returns the zero value of each op, [All] last.
func Ops() []Op {
	zeros := make([]Op, len(ops))
	for i := range ops {
		zeros[i] = ops[i].zero
	}
	return zeros
}

// byValues are the requests, without ops that are none: run refuses those.
func byValues(requests []Request) []Request {
	requests = slices.Clone(requests)
	for i := range requests {
		if !byValue(requests[i].Op) {
			requests[i].Op = nil
		}
	}
	return requests
}

func noOp() *Error { return invalid("the request has no op, or a pointer to one: pass the op itself") }

// byValue reports whether there is an op. For Go a pointer to one, which may be nil, is an op as well.
func byValue(op Op) bool { return op != nil && reflect.TypeOf(op).Kind() != reflect.Pointer }
