package xg

// Parts for tests.
var (
	Unpack   = unpack
	Comments = comments
)
