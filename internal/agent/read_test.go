package agent

import "testing"

// What a tool returned says in several ways that it failed.
func TestFailed(t *testing.T) {
	for text, want := range map[string]bool{
		`{"success": false}`: true, `{"success": true}`: false, `{"isError": true}`: true, `{"is_error": true}`: true,
		`{"isError": false, "content": [{"success": false}]}`: false, `{"Success": false}`: true,
		`{}`: false, `"false"`: false, `{"success": "no"}`: false, `{"isError"`: false, ``: false,
	} {
		if got := Failed([]byte(text)); got != want {
			t.Errorf("%s failed: %t", text, got)
		}
	}
}
