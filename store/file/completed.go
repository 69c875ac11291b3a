package file

// completed reads of a blob only when the task was completed: to find what was
// done last, all that is done is looked at.
func completed(blob []byte) int64 {
	r := unpacker{blob}
	has := r.uint()
	if has&hasTimes == 0 {
		return 0
	}
	var created int64
	r.bytes()
	r.skip()
	r.skip()
	if has&hasOwner != 0 {
		r.bytes()
	}
	if has&hasRef != 0 {
		r.bytes()
	}
	if has&hasLabels != 0 {
		for range r.count() {
			r.bytes()
		}
	}
	if has&hasHold != 0 {
		r.bytes()
		r.bytes()
		r.int()
	}
	if has&hasParent != 0 {
		r.uint()
	}
	if has&hasCreatedAt != 0 {
		created = r.int()
	}
	if has&hasDamage != 0 {
		r.bytes()
	}
	if has&hasImage != 0 {
		r.uint()
		r.uint()
	}
	for _, ids := range []uint64{hasSaidBlockedBy, hasSaidBlocks, hasBlockers} {
		if has&ids != 0 {
			r.skip()
		}
	}
	if has&hasChildren != 0 {
		r.skip()
		r.uint()
	}
	if has&hasClaim != 0 {
		r.bytes()
		r.bytes()
		r.uint()
		r.int()
		r.int()
	}
	if has&hasExpired != 0 {
		r.uint()
	}
	r.int()
	r.int()
	return after(created, r.int())
}
