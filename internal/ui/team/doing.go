package team

import (
	"bytes"
	"encoding/json"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/jsonscan"
	"github.com/pawl-dev/pawl/query"
)

// doing is [remote.Do], of which no more is read than may be carried out.
type doing struct {
	Want     query.Want `json:"want,omitempty"`
	Try      bool       `json:"try,omitempty"`
	Requests listed     `json:"requests"`
}

// scan reads what a client of ours sends, if nothing is wrong with it. Else package json
// begins again.
func (m *doing) scan(text []byte) bool {
	var want, try, requests bool // were read
	var do doing
	quick := jsonscan.All(text, func(s *jsonscan.Scan) {
		s.Object(func(key []byte) {
			switch string(key) {
			case "want":
				s.Once(!want)
				n := s.Uint()
				if want, do.Want = true, query.Want(n); uint64(do.Want) != n {
					s.GiveUp()
				}
			case "try":
				s.Once(!try)
				try, do.Try = true, s.Bool()
			case "requests":
				s.Once(!requests)
				requests = true
				s.Array(func() {
					request, err := pawl.ParseRequest(s.Raw())
					if err != nil || len(do.Requests) == pawl.MaxRequests {
						s.GiveUp()
					}
					do.Requests = append(do.Requests, request)
				})
			default:
				s.GiveUp()
			}
		})
	})
	if quick {
		*m = do
	}
	return quick
}

type listed []pawl.Request

// UnmarshalJSON reads requests strictly, and at most as many as go in one call.
func (l *listed) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if start, err := d.Token(); err != nil || start != json.Delim('[') {
		return pawl.Errorf(pawl.Invalid, "requests is not a list")
	}
	*l = nil
	for d.More() {
		if len(*l) == pawl.MaxRequests {
			return pawl.Errorf(pawl.Invalid, "more than %d requests in one call are too many", pawl.MaxRequests)
		}
		var one json.RawMessage
		if err := d.Decode(&one); err != nil {
			return err
		}
		request, err := pawl.ParseRequest(one)
		if err != nil {
			return err
		}
		*l = append(*l, request)
	}
	return nil
}
