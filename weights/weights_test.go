package weights

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/nn"
)

func TestTheEmbeddedNetworkIsWhole(t *testing.T) {
	n, err := DefaultNetwork()
	require.NoError(t, err)
	assert.NotEmpty(t, n.Meta.Run)
	_, err = Default()
	require.NoError(t, err)
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
