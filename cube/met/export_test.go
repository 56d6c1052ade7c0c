package met

// CutForTest returns t cut down to n points and extended again.
func CutForTest(t *Table, n int) *Table {
	cut := &Table{size: n, pre: t.pre, postTrailer: t.postTrailer, postLeader: t.postLeader}
	cut.extendPre(n)
	return cut.link()
}
