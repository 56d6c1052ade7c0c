package weights

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/nn"
)

func TestTheEmbeddedNetworksAreWhole(t *testing.T) {
	for _, name := range []string{"", Small, Large, Second} {
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

func TestThePairIsTwoNetworks(t *testing.T) {
	assert.True(t, Embedded(Pair))
	nets, err := Networks(Pair)
	require.NoError(t, err)
	require.Len(t, nets, 2)
	for i, name := range Parts(Pair) {
		one, err := Networks(name)
		require.NoError(t, err)
		require.Len(t, one, 1)
		assert.Same(t, one[0], nets[i])
	}
	_, err = Read(Pair)
	assert.ErrorIs(t, err, errPair)
	_, err = Load(Pair)
	assert.ErrorIs(t, err, errPair)
	_, err = Networks("no-such.knn")
	assert.Error(t, err)
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
