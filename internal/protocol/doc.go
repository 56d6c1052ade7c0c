// Package protocol speaks the line protocols of backgammon programs, as the engine that is
// asked and as the one who asks. It holds no strength.
package protocol
