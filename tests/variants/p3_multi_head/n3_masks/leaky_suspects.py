from grader.exercises.p3_multi_head.n3_masks.leaky_suspects import SUSPECTS

WRONG = [
    (["no mask", "one ahead"], "mask-is-enough"),
    (["causal", "not itself"], "the-sound-ones"),
    (["no mask", "one ahead", "centred"], "misses-afterwards"),
    (list(SUSPECTS), "all-suspects"),
    (["no mask", "one ahead", "not itself"], "mask-is-enough"),
    (["no mask", "one ahead", "zero afterwards", "not itself"], "misses-centred"),
    (["no mask", "zero afterwards", "centred", "not itself"], "suspects-itself"),
    (["no mask", "one ahead", "zero afterwards", "centered"], "form"),
    ([True, False, True, True, True, False], "form"),
    (list(SUSPECTS.values()), None),
]
