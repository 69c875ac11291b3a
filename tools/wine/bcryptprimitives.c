/*
 * bcryptprimitives.dll for Wine 8, as far as a Go program needs it. Go loads it
 * at its start and asks it for random numbers; Wine has it from version 9 on.
 *
 *   x86_64-w64-mingw32-gcc -O1 -s -shared -o bcryptprimitives.dll bcryptprimitives.c -ladvapi32
 */
#include <windows.h>
#include <string.h>

BOOLEAN WINAPI SystemFunction036(void *, ULONG); /* RtlGenRandom */

__declspec(dllexport) BOOL WINAPI ProcessPrng(void *data, SIZE_T size) {
	return SystemFunction036(data, (ULONG)size);
}

/*
 * To delete a file, Go asks for POSIX semantics first, and falls back when the
 * system does not know this class of information, as Windows before version
 * 1607. Wine 8 does not know it either, but answers "not implemented", which Go
 * takes for a failure. So this library, which each Go program loads, lets
 * NtSetInformationFile answer what such a Windows answers.
 */
enum { dispositionEx = 64, invalidInfoClass = 0xC0000003 };

typedef LONG(WINAPI *setInformation)(HANDLE, void *, void *, ULONG, ULONG);

static setInformation original;

static LONG WINAPI set(HANDLE file, void *status, void *info, ULONG size, ULONG class) {
	return class == dispositionEx ? (LONG)invalidInfoClass : original(file, status, info, size, class);
}

/* The entry is a system call of 32 bytes that runs from anywhere: it is copied,
 * and begins with a jump to set from now on. */
BOOL WINAPI DllMain(HINSTANCE self, DWORD why, void *reserved) {
	static const unsigned char jump[6] = {0xff, 0x25}; /* jmp *(the 8 bytes behind) */
	void *target = set;
	unsigned char *entry, *copy;
	DWORD old;

	if (why != DLL_PROCESS_ATTACH)
		return TRUE;
	entry = (void *)GetProcAddress(GetModuleHandleA("ntdll.dll"), "NtSetInformationFile");
	copy = VirtualAlloc(NULL, 32, MEM_COMMIT | MEM_RESERVE, PAGE_EXECUTE_READWRITE);
	if (!entry || !copy || !VirtualProtect(entry, 32, PAGE_EXECUTE_READWRITE, &old))
		return FALSE;
	memcpy(copy, entry, 32);
	original = (setInformation)(void *)copy;
	memcpy(entry, jump, sizeof jump);
	memcpy(entry + sizeof jump, &target, sizeof target);
	return VirtualProtect(entry, 32, old, &old);
}
