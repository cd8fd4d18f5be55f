"""Who really contributed: explanations put to the test, and a circuit found and cut."""

EXERCISES = """predict-interpretability head_contributions rollout induction_score cut_heads the-circuit same-context"""
