// Package factstore is a content-addressed cache of opaque records: keys and
// bytes, nothing else. A key is a digest made by the caller over everything
// that determines the record (the recipe and the blob), so a record never
// changes under its key, nothing ever has to be invalidated, and losing any
// part of the cache costs time only.
//
// # Layout of the directory
//
//	NAME.facts   immutable segments; NAME is 32 lower-case hex digits, the
//	             first half of the SHA-256 of the segment's index block
//	tmp-*        segments being written; left behind only by a crash
//	lock         advisory lock that serialises compaction
//
// Writers never touch a published segment. They write a temporary file, sync
// it, rename it into place and sync the directory, so any number of processes
// may read and publish at the same time without a lock. Compaction alone
// deletes segments, and only ones whose surviving records it has already
// published again; readers that opened them before keep their descriptors.
//
// # Segment format, version 1
//
// All integers are little-endian and unsigned.
//
//	segment = header record* index footer
//
//	header  = magic "pmfacts\n" (8 bytes)
//	          format version    (4 bytes)
//	          zero              (4 bytes)
//
//	record  = s2 block: the value compressed as one block
//	          (github.com/klauspost/compress/s2), without framing
//
//	index   = entry*, strictly ascending by key
//	entry   = key               (32 bytes)
//	          record offset     (8 bytes, from the start of the file)
//	          record length     (4 bytes, as stored)
//	          record checksum   (4 bytes, CRC-32C of key and stored bytes)
//
//	footer  = index offset      (8 bytes)
//	          entry count       (4 bytes)
//	          index checksum    (4 bytes, CRC-32C of the index block)
//	          format version    (4 bytes)
//	          footer checksum   (4 bytes, CRC-32C of the 20 bytes before)
//	          magic "pmfacts\n" (8 bytes)
//
// Records come first so that a writer can stream them to disk and hold only
// the entries in memory. Records of a merged segment are ordered newest first,
// which is the order in which a size limit keeps them.
//
// Opening a segment reads its header, footer and index and trusts none of
// them: magic, version, both checksums, the exact file size, the key order and
// the bounds of every record have to agree, otherwise the segment is ignored
// and listed by [Store.Problems]. A record's checksum is verified at every
// read; a record that fails it is a miss. [Check] verifies everything at once.
package factstore
