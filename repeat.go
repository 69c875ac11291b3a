package pawl

import (
	"encoding/json"
	"hash/fnv"
)

// recorded is a Result as history keeps it.
type recorded struct {
	// Sum is a hash of the op: one op id names one request. Records from before ops
	// had a form in JSON have none, and are not compared.
	Sum      uint64        `json:"sum,omitempty"`
	IDs      []ID          `json:"ids,omitempty"`
	Created  []int64       `json:"created,omitempty"` // creation times of IDs, in milliseconds: with the id, the task's identity
	Refs     map[string]ID `json:"refs,omitempty"`
	Updated  []ID          `json:"updated,omitempty"`
	Kept     []ID          `json:"kept,omitempty"`
	Ready    []ID          `json:"ready,omitempty"`
	Holding  []ID          `json:"holding,omitempty"`
	Revision Revision      `json:"revision"`
	Changed  bool          `json:"changed,omitempty"`
	Undoes   Revision      `json:"undoes,omitempty"`
	Passed   []Revision    `json:"passed,omitempty"`
}

func record(req Request, res *Result, x *tx) []byte {
	if req.ID == "" {
		return nil // nobody can ask for it again
	}
	rec := recorded{
		Sum: hashOp(req.Op), IDs: res.IDs, Refs: res.Refs, Updated: res.Updated, Kept: res.Kept,
		Ready: res.Ready, Holding: res.Holding, Revision: res.Revision, Changed: res.Changed,
		Undoes: res.Undoes, Passed: res.Passed,
	}
	for _, id := range res.IDs {
		var created int64
		if t := x.tasks[id]; t != nil {
			created = t.CreatedAt.UnixMilli()
		}
		rec.Created = append(rec.Created, created)
	}
	text, err := json.Marshal(rec)
	if err != nil {
		panic("pawl: a result cannot be encoded: " + err.Error()) // numbers and strings only
	}
	return text
}

func hashOp(op Op) uint64 {
	h := fnv.New64a()
	h.Write([]byte(op.Verb()))
	text, err := json.Marshal(named{op})
	if err != nil {
		text = []byte(err.Error()) // raw metadata that is no JSON: check refuses the op anyway
	}
	h.Write(text)
	return h.Sum64() >> 11 // 53 bits: whole in every JSON reader
}

// repeat fills res from what a request with this op id led to before, and
// reports whether there was one.
func repeat(r Reader, req Request, res *Result) (bool, error) {
	if req.ID == "" || req.Op == nil || len(checkOpID(req.ID)) > 0 {
		return false, nil // nothing ran under such an id, and no store need know it
	}
	text, found, err := r.Result(req.ID)
	if err != nil || !found {
		return false, err
	}
	var rec recorded
	if err := json.Unmarshal(text, &rec); err != nil {
		return true, Errorf(Internal, "the recorded result of op id %q cannot be read: %w", req.ID, err)
	}
	if rec.Sum != 0 && rec.Sum != hashOp(req.Op) {
		return true, otherRequest(req.ID)
	}
	*res = Result{
		Repeated: true, Revision: rec.Revision, Changed: rec.Changed, IDs: rec.IDs, Refs: rec.Refs,
		Updated: rec.Updated, Kept: rec.Kept, Ready: rec.Ready, Holding: rec.Holding,
		Undoes: rec.Undoes, Passed: rec.Passed,
	}
	for i, id := range rec.IDs {
		tasks, err := r.Get(id)
		if KindOf(err) == NotFound && err != nil {
			continue // deleted since
		}
		if err != nil {
			return true, err
		}
		if created := rec.Created[i]; created != 0 && tasks[0].CreatedAt.UnixMilli() != created {
			return true, otherTask(id)
		}
		res.Tasks = append(res.Tasks, tasks...)
	}
	return true, nil
}

// otherRequest says that an op id is taken.
func otherRequest(id OpID) *Error {
	return invalid("op id %q was used for another request", id).Say("choose a new op id for each request")
}

// otherTask says that an id means another task than it did: two branches of a
// project can each have given it.
func otherTask(id ID) *Error {
	return Errorf(Conflict, "%v is another task now than it was then", id).About(id).Next(HintShow, id)
}
