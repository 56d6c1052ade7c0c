package weights

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/nn"
)

func TestTheEmbeddedNetworksAreWhole(t *testing.T) {
	for _, name := range []string{"", Small, Large, Second, Third, Fourth} {
		assert.True(t, Embedded(name))
		n, err := Read(name)
		require.NoError(t, err)
		assert.NotEmpty(t, n.Meta.Run)
		again, err := Read(name)
		require.NoError(t, err)
		assert.Same(t, n, again)
		_, err = Load(name)
		require.NoError(t, err)
		file, err := File(name)
		require.NoError(t, err)
		decoded, err := nn.Decode(file)
		require.NoError(t, err)
		assert.Equal(t, n.Checksum(), decoded.Checksum())
	}
	assert.False(t, Embedded("small.knn"))
	assert.False(t, Embedded("./small"))
}

func TestPairAndQuadAreSeveralNetworks(t *testing.T) {
	for name, n := range map[string]int{Pair: 2, Quad: 4} {
		assert.True(t, Embedded(name))
		nets, _, err := Networks(name)
		require.NoError(t, err)
		require.Len(t, nets, n)
		for i, part := range Parts(name) {
			one, _, err := Networks(part)
			require.NoError(t, err)
			require.Len(t, one, 1)
			assert.Same(t, one[0], nets[i])
		}
	}
	_, err := Read(Pair)
	assert.ErrorIs(t, err, errSeveral)
	_, err = Load(Pair)
	assert.ErrorIs(t, err, errSeveral)
	_, _, err = Networks("no-such.knn")
	assert.Error(t, err)
}

func TestPlusSignsStandBetweenNetworks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a+b.knn")
	missing := file + ".no"
	require.NoError(t, os.WriteFile(file, smallFile, 0o600))
	assert.Equal(t, []string{Large, Second, Small}, Parts("pair+small"))
	assert.Equal(t, []string{file}, Parts(file), "a file whose name has one")
	assert.Len(t, Parts(missing), 2)

	assert.True(t, Embedded("pair+small"))
	assert.False(t, Embedded("small+"+missing))
	both, err := File("small+second")
	require.NoError(t, err)
	assert.Equal(t, append(slices.Clone(smallFile), secondFile...), both)
	_, err = File("small+" + missing)
	assert.ErrorIs(t, err, fs.ErrNotExist)
	_, _, err = Networks("small+" + missing)
	assert.ErrorIs(t, err, fs.ErrNotExist)
	nets, _, err := Networks("small+" + Small + "+large")
	require.NoError(t, err)
	assert.Len(t, nets, 3)
}

func TestTheFastestEmbeddedNetworkLeadsTheOthers(t *testing.T) {
	small, err := Load(Small)
	require.NoError(t, err)
	for _, name := range []string{"", Small, Large, Quad, "second+fourth"} {
		_, lead, err := Networks(name)
		require.NoError(t, err)
		assert.Same(t, small, lead, name)
	}
	file := t.TempDir() + "/large.knn"
	require.NoError(t, os.WriteFile(file, largeFile, 0o600))
	nets, lead, err := Networks(file + "+small")
	require.NoError(t, err)
	assert.Equal(t, 1024, lead.Shape.Width, "the first, where a file is among them")
	assert.Same(t, nets[0], lead, "read once")
	_, _, err = Networks(file + ".no")
	assert.ErrorIs(t, err, fs.ErrNotExist)
}

func TestANetworkForOtherFeaturesIsRefused(t *testing.T) {
	n := nn.New(nn.Shape{Width: 128, Buckets: 4}, 1)
	n.Meta.Features = "other/1"
	name := t.TempDir() + "/other.knn"
	require.NoError(t, n.WriteFile(name))
	_, err := Load(name)
	var wrong FeaturesError
	require.ErrorAs(t, err, &wrong)
	assert.Equal(t, "other/1", wrong.Have)
}
