package pawl

import "time"

// Every input has a limit. Most bound what one task may cost the others: a
// board is read whole, again and again, by programs that pay for each byte.
const (
	MaxID           ID = 1 << 52   // every JSON reader keeps it exactly, and the numbers around it
	MaxForeignID    ID = 1 << 51   // the largest that new ids count on from when another program gave it: as many are left
	MaxSubject         = 500       // runes: a subject is one line of a list
	MaxDescription     = 64 << 10  // bytes: a brief; longer texts belong in a file of the project
	MaxActiveForm      = 500       // runes: one line, as the subject
	MaxName            = 200       // runes of an owner, session or agent name
	MaxClone           = 80        // bytes of the id of a clone: the name of a machine, and a few digits
	MaxLabel           = 100       // runes
	MaxLabels          = 50        // a task
	MaxNote            = 16 << 10  // bytes
	MaxNotes           = 1_000     // a task
	MaxReason          = 500       // runes of a hold's reason: shown on one card
	MaxMetadata        = 64 << 10  // bytes of JSON in all, and of fields Pawl does not know
	MaxTask            = 1 << 20   // bytes of a task's file
	MaxState           = 128 << 10 // of these bytes what texts must leave free, for all edges, an owner, a hold, times and evidence
	MaxChecks          = 20        // a task, and a project
	MaxCheckName       = 60        // runes
	MaxCheckArgs       = 64        // a check
	MaxCheckRun        = 4 << 10   // bytes of a check's program and arguments
	MaxCheckDir        = 500       // bytes
	MaxCheckEnv        = 32        // variables that a check names
	MaxCheckTimeout    = 4 * time.Hour
	MaxCriteria        = 50       // a task
	MaxEvidence        = 40       // runs that a task keeps: one for each check of its own and of the project
	MaxDepth           = 64       // nesting of JSON that comes from outside
	MaxEdges           = 1_000    // edges of one task, each way
	MaxWas             = 16       // former numbers of a task: its first, and the newest ones
	MaxBatch           = 500      // tasks made by one op: what one model can have meant
	MaxImport          = 20_000   // tasks brought in by one op: one journal record holds them all
	MaxRequests        = 500      // requests in one call of Do
	MaxOpID            = 200      // bytes
	MaxRequestSize     = 64 << 20 // bytes of a request as JSON: an import of large tasks
	MaxPassed          = 1_000    // changes that an undo may pass over
	MaxPage            = 1_000    // tasks a page
	MaxExpired         = 3        // leases that run out in a row before a task is put on hold: it may be the task
	MinLease           = time.Second
	MaxLease           = 7 * 24 * time.Hour
)

// systemName is the actor of changes that no caller asked for.
const systemName = "pawl"

// ExternalName is the actor of changes that were made to a board's files by
// something other than Pawl.
const ExternalName = "external"
