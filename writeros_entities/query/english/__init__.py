"""English: the forms of words, those that tell nothing, and the tense of a narration."""
