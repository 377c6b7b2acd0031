package misread

import "a/pkg"

// Types that the grammar takes for the names of parameters.
type Handler interface {
	Update(Resource, map[string]Tuple, pkg.Meta, func())
	Send(Resource, Other, chan Tuple)
	Named(a, b map[Key]Tuple)
}

func wait(Resource, map[pkg.Key]Tuple) (Resource, map[Key]Tuple, error) {
	var r Resource
	return Resource{}, nil, nil
}

type nested struct {
	conns map[*Resource]struct{ n [Limit]Tuple }
	set   map[Key]struct{}
}
