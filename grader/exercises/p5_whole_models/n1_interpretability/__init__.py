"""Who really contributed?."""

EXERCISES = """predict-interpretability head_contributions rollout induction_score cut_heads the-circuit same-context"""
