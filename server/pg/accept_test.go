package pg

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
)

// Versions are those that PostgreSQL, Debian and others that speak its protocol name.
func TestAcceptsVersions(t *testing.T) {
	d := &Database{shown: "the database"}
	for version, old := range map[string]bool{
		"": false, "13.0.0": false, "15.14 (Debian 15.14-0+deb12u1)": false, "18.4": false, "19beta1": false, "something else": false,
		"12.22": true, "9.6.24": true, "12beta3": true, "12 (EnterpriseDB 12.1)": true,
	} {
		err := d.accept(version, "UTF8")
		if (err != nil) != old {
			t.Errorf("%q: %v", version, err)
		}
		if old && (pawl.KindOf(err) != pawl.Invalid || !strings.Contains(err.Error(), "runs PostgreSQL "+version+", and Pawl needs 13 or newer")) {
			t.Errorf("%q: %v", version, err)
		}
	}
	if d.accept("15.1", "") != nil || d.accept("15.1", "LATIN1") == nil {
		t.Error("what a pooler does not pass on counts, or an encoding does not")
	}
}
