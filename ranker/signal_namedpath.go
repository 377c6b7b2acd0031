package ranker

// namedPath marks files and directories that the text names. Documents that
// agree equally long with a mention share its evidence; the files of a named
// directory have half of it each, the one that stands for the directory more.
// Weight 1: about half of the files named in reports are those that change.
func namedPath(x *run, out []float64) { addAll(out, x.mentions.named) }
