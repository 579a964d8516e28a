"""Whether an answer is poorer than what the base branch's app answered to the same question.

May import core/text, evidence_checks and claims, and schema, strings.
"""
