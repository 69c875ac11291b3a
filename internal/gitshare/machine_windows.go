package gitshare

import "golang.org/x/sys/windows/registry"

// machineID is what the system calls this installation of itself; empty: nothing.
func machineID() string {
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, `SOFTWARE\Microsoft\Cryptography`, registry.QUERY_VALUE|registry.WOW64_64KEY)
	if err != nil {
		return ""
	}
	defer key.Close()
	id, _, _ := key.GetStringValue("MachineGuid")
	return id
}
