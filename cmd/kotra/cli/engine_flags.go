package cli

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kotra"
	"kotra/cube/met"
	"kotra/search"
)

// engineOptions are the flags that choose and set up an engine.
type engineOptions struct {
	ply      int
	threads  int
	seed     uint64
	weights  string
	cubeless bool
	met      string
}

// addFlags adds the flags of o to fs.
func (o *engineOptions) addFlags(fs *pflag.FlagSet) {
	fs.IntVar(&o.ply, "ply", 2, "plies to look ahead; 0 is the raw network")
	o.addThreadsFlag(fs)
	fs.Uint64Var(&o.seed, "seed", 0, "seed of everything random")
	o.addWeightsFlag(fs)
	fs.BoolVar(&o.cubeless, "cubeless", false, "play and evaluate as if there were no cube")
	fs.StringVar(&o.met, "met", "kazaross-xg2", "match equity table: kazaross-xg2, rockwell-kazaross or an XML `FILE`")
}

func (o *engineOptions) addThreadsFlag(fs *pflag.FlagSet) {
	fs.IntVar(&o.threads, "threads", 0, "threads to use; 0 is one for each core")
}

func (o *engineOptions) addWeightsFlag(fs *pflag.FlagSet) {
	fs.StringVar(&o.weights, "weights", "", "weights `FILE`, or small, large, pair or quad for those embedded; FILE+FILE is their mean")
}

// check reports a flag with a value that no engine has.
func (o *engineOptions) check(cmd *cobra.Command) error {
	switch {
	case o.ply < 0 || o.ply > search.MaxPly:
		return usagef(cmd, "--ply: %d is not in the range from 0 to %d", o.ply, search.MaxPly)
	case o.threads < 0:
		return usagef(cmd, "--threads: %d is negative", o.threads)
	}
	return nil
}

// newEngine returns the engine that o describes, whose calls use the given number of threads.
func (o *engineOptions) newEngine(e *env, threads int) (*kotra.Engine, error) {
	options := kotra.Options{
		Weights:   o.weightsFile(e),
		Evaluator: e.evaluator,
		Ply:       o.ply,
		CubePly:   o.ply,
		Threads:   threads,
		Cubeless:  o.cubeless,
		CacheDir:  e.getenv("KOTRA_CACHE_DIR"),
	}
	var err error
	if options.MET, err = readMET(o.met); err != nil {
		return nil, err
	}
	// What is made now stays for good: the collector would look through it in vain.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	return kotra.New(options)
}

// weightsFile returns the weights file to use, empty for the embedded one.
func (o *engineOptions) weightsFile(e *env) string {
	if o.weights != "" {
		return o.weights
	}
	return e.getenv("KOTRA_WEIGHTS")
}

// readMET returns the match equity table of the given name, or from the file of that name.
func readMET(name string) (*met.Table, error) {
	switch name {
	case "", "kazaross-xg2":
		return met.KazarossXG2(), nil
	case "rockwell-kazaross":
		return met.RockwellKazaross(), nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fileError(name, err)
	}
	defer f.Close()
	table, err := met.ReadXML(f)
	if err != nil {
		return nil, fmt.Errorf("match equity table %q: %w", name, err)
	}
	return table, nil
}

// engineThreads returns how many threads one call of the engine gets, and makes a batch of
// positions use the rest by working on several at once.
func (o *engineOptions) engineThreads(p *positionOptions) int {
	if p.input == "" {
		return o.threads
	}
	p.workers = o.threads
	if p.workers == 0 {
		p.workers = runtime.GOMAXPROCS(0)
	}
	return 1
}
