package fleet

// maxrssUnit is how many bytes one of the most memory of a process is.
const maxrssUnit = 1 << 10
