package ranker

// rareSymbol is the rarest name of title, prose or inline code that a file
// defines: the weight of its kind over the number of files that define it.
// Weight 0.5: one unique name tells more than many common ones, whose sum the
// other signals hold.
func rareSymbol(x *run, out []float64) {
	for _, e := range x.symbols.rare {
		out[e.doc] = max(out[e.doc], e.weight)
	}
}
