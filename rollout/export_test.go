package rollout

// DecodeSaved returns the error of reading the text of a saved file.
func DecodeSaved(text []byte) error {
	_, err := decodeSaved(text)
	return err
}
