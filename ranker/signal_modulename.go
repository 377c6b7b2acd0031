package ranker

// moduleName marks files whose path ends in a dotted name of the query, as
// a/b/c.py in "a.b.c.func" does. Ambiguous names share. Weight 0.5: reports
// import the public module, the change is often one further in.
func moduleName(x *run, out []float64) { addAll(out, x.mentions.modules) }
