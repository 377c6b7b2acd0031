package same

// Row 15: a method and a free function of one name, both called: the
// qualifiers tell them apart.

type Box struct{}

func (b *Box) Open() {}

func Open() *Box { return nil }

func use(b *Box) {
	b.Open()
	Open().Open()
}
