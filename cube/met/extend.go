package met

// The chances of the recursion beyond a table; the package comment says where they come from.
var pointsWon = [...]struct {
	points int
	chance MWC
}{{1, .49}, {2, .25}, {4, .22}, {8, .04}}

const crawfordGammonRate = .30

// extendPost fills what a player 1..MaxAway away wins against one who is 1 away after the
// Crawford game, from entry n+1 on.
func extendPost(post *[MaxAway + 1]MWC, n int) {
	at := func(i int) MWC {
		if i <= 0 {
			return 1
		}
		return post[i]
	}
	for i := max(n, 1) + 1; i <= MaxAway; i++ {
		post[i] = ((1-crawfordGammonRate)*at(i-2) + crawfordGammonRate*at(i-4)) / 2
	}
}

// extendPre fills the entries with a player more than n away. The post-Crawford entries must
// be complete.
func (t *Table) extendPre(n int) {
	for far := n + 1; far <= MaxAway; far++ {
		for near := 1; near <= far; near++ {
			t.pre[far][near] = t.project(far, near)
			t.pre[near][far] = t.project(near, far)
		}
	}
}

// project returns the chance at mine-away theirs-away, from entries with fewer points to go.
func (t *Table) project(mine, theirs int) MWC {
	const g = crawfordGammonRate
	switch {
	case mine == 1 && theirs == 1:
		return t.postTrailer[1]
	case theirs == 1:
		return ((1-g)*t.PostCrawford(mine-1, 1) + g*t.PostCrawford(mine-2, 1)) / 2
	case mine == 1:
		return (1 + (1-g)*t.PostCrawford(1, theirs-1) + g*t.PostCrawford(1, theirs-2)) / 2
	}
	var sum MWC
	for _, w := range pointsWon {
		sum += w.chance * (t.PreCrawford(mine-w.points, theirs) + t.PreCrawford(mine, theirs-w.points))
	}
	return sum / 2
}
