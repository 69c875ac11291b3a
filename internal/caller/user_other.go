//go:build !unix

package caller

func userID() string { return "somebody" }
