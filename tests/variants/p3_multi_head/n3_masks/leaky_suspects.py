from grader.exercises.p3_multi_head.n3_masks.leaky_suspects import SUSPECTS

WRONG = [
    (["no mask", "one ahead"], "mask-is-enough"),
    (["causal", "not itself"], "the-sound-ones"),
    (["no mask", "one ahead", "centred"], "misses-afterwards"),
    (list(SUSPECTS), None),
]
