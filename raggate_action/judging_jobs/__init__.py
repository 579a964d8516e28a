"""The jobs that judges do, a file each: prompt, form of the reply, what a reply comes to, planted instructions.

What is written once over any of them stands below (`judges`: asking, repair, rate limit, circuit breaker;
`core/judging`: trial and scorecard) and above (`pipeline`: budget, cache, desk, labels).
"""
