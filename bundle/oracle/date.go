package oracle

import "time"

// dateOf is the day of a time in seconds since 1970, in UTC.
func dateOf(seconds int64) string { return time.Unix(seconds, 0).UTC().Format(time.DateOnly) }
