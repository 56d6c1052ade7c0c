// Package mapped opens large files for reading: mapped into memory where the system can, read into
// it elsewhere.
package mapped
