"""An answer -> a verdict.

`check` is what a notebook calls. `answer` calls a learner's code, `compare` reads what came, `judge` tries a function
(`values` and `typed` judge values), and `verdict` and `showing` are what people read; `cells` knows which cell ran.

The name of a mistake: `diagnose` searches among the exercise's own `models` and the `hypotheses` that hold for any
function (made of the `changes` of a value), weighs the `evidence`, and falls back on `exceptions` and on `behaviour`;
`general` has the words.
"""
