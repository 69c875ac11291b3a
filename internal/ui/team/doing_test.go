package team

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/query"
)

// FuzzDoing holds the quick reading of changes to that of package json: the same, or none.
func FuzzDoing(f *testing.F) {
	for _, text := range []string{
		`{"requests":[{"by":{"session":"s1"},"op":{"op":"claim","lease":"1h0m0s"},"opId":"0198c1c0"}]}`,
		` { "want" : 3 , "try" : true , "requests" : [ {"op":{"op":"create","tasks":[{"subject":"a","metadata":{"k":[1, 2]}}]}} , {"op":{"op":"complete","ids":[1]}} ] } `,
		`{"want":65536,"requests":[]}`, `{"want":65535,"requests":[]}`, `{"want":-1,"requests":[]}`, `{"want":1.0,"requests":[]}`, `{"want":"1","requests":[]}`, `{"want":null,"try":null,"requests":null}`,
		`{"Requests":[{"op":{"op":"undo"}}]}`, `{"requests":[{"op":{"op":"undo"}}],"requests":[]}`, `{"want":1,"want":2,"requests":[]}`, `{"try":true,"try":false,"requests":[]}`,
		`{"requests":[{"op":{"op":"undo"}}]}x`, `{"requests":[{"op":{"op":"undo"}},]}`, `{"requests":[{"op":{"op":"undo"},"more":1}]}`, `{"requests":[{}]}`, `{"requests":{}}`, `{"other":1}`, `{}`, `[]`, ``, `null`,
		"{\"requests\":[{\"op\":{\"op\":\"create\",\"tasks\":[{\"subject\":\"\xff\"}]}}]}", `{"requests":[{"op":{"op":"create","tasks":[{"subject":"\ud83d"}]}}]}`, `{"requests":[{"op":{"op":"create","tasks":[{"subject":"\u00e9"}]}}]}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var quick, slow doing
		if !quick.scan(text) {
			if !reflect.DeepEqual(quick, doing{}) {
				t.Fatalf("of %q, which was not read, %+v is left", text, quick)
			}
			return
		}
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(&slow); err != nil {
			t.Fatalf("%q was read, and: %v", text, err)
		}
		if len(quick.Requests) == 0 {
			quick.Requests, slow.Requests = nil, nil
		}
		if !reflect.DeepEqual(quick, slow) {
			t.Fatalf("%q was read as\n%+v, not\n%+v", text, quick, slow)
		}
	})
}

// What clients send is read quickly, and no more of it than may be carried out.
func TestDoing(t *testing.T) {
	send := func(n int) []byte {
		do := remote.Do{Want: query.WantNames, Try: true, Requests: []json.RawMessage{}}
		for range n {
			text := must.Get(json.Marshal(pawl.Request{By: pawl.Actor{Session: "s <1>"}, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "Grüße", Metadata: map[string]json.RawMessage{"n": []byte("1.5")}}}}, ID: "op"}))(t)
			do.Requests = append(do.Requests, text)
		}
		return must.Get(json.Marshal(do))(t)
	}
	for n, quickly := range map[int]bool{0: true, 1: true, pawl.MaxRequests: true, pawl.MaxRequests + 1: false} {
		var m doing
		if is := m.scan(send(n)); is != quickly || is && len(m.Requests) != n {
			t.Errorf("%d requests: %v, %d were read", n, is, len(m.Requests))
		}
	}
}
