package strictjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

type list struct {
	IDs []int `json:"ids,omitempty"`
}

// A value takes two bytes of a text and some hundred of memory: how many there
// are has a limit of its own.
func TestMostValues(t *testing.T) {
	text := []byte(`{"ids":[` + strings.Repeat("0,", mostValues) + `0]}`)
	if _, err := Read(text, 8, new(list), nil); err == nil || !strings.Contains(err.Error(), fmt.Sprint(mostValues)) {
		t.Errorf("too many: %v", err)
	}
	for left, fits := range map[int]bool{4: true, 3: false} {
		text := []byte(`{"ids":[0,0]}`)
		p := parser{dec: json.NewDecoder(bytes.NewReader(text)), text: text, depth: 8, left: left}
		if _, err := p.node(8); (err == nil) != fits {
			t.Errorf("4 values, at most %d: %v", left, err)
		}
	}
}

// Behind the last fault that is reported nothing is read: to find the nearest
// name for each of a million wrong keys takes minutes.
func TestNothingBehindTheLastFault(t *testing.T) {
	for what, text := range map[string]string{
		"values": `{"ids":[` + strings.Repeat(`"x",`, 5*mostFaults) + `0]}`,
		"keys":   `{` + strings.Repeat(`"id":0,`, 5*mostFaults) + `"ids":[0]}`,
	} {
		var into list
		read := 0
		faults, err := Read([]byte(text), 8, &into, func(reflect.Type) Form { read++; return nil })
		if err != nil || len(faults) != mostFaults || read > mostFaults+2 {
			t.Errorf("%s: %d faults, %d values read, %v", what, len(faults), read, err)
		}
		if len(into.IDs) > 0 && what == "keys" {
			t.Errorf("%s: what comes behind was read: %+v", what, into)
		}
	}
}
