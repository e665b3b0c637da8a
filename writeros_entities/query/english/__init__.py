"""English: forms of words, stop words, and the tense of a narration."""
