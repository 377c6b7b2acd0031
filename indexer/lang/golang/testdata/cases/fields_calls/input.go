package fields

// Row 4: a call on a typed parameter or on the field of a receiver keeps what a
// resolver needs.

type Cache struct {
	store *Store
}

func (c *Cache) Save(s *Store, item Item) error {
	if err := c.store.Save(item); err != nil {
		return err
	}
	other := s
	return other.Flush()
}
