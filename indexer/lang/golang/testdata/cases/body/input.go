package main

// The variables inside functions are bindings, never definitions; a type in a
// body is a definition of the body.
func main() {
	store := NewStore()
	item, err := store.Open("a")
	if err != nil {
		return
	}
	for i, part := range item.Parts {
		part.Run(i)
	}
	switch v := item.(type) {
	case *Special:
		v.Do()
	}
	type local struct{ x int }
	cfg := &Config{Name: "x", Inner: Inner{Deep: 1}}
	fn := func(a *Arg) { a.Call(cfg) }
	fn(nil)
	len(global)
	table[0][1](item)
	go worker(<-results)
}

func shadow(Store int) {
	Store++
	other.Store()
}
