ANSWERS = {
 "c0": "Returns are free within thirty days.",
 "c1": "Returns are free within thirty days.",
 "c2": "Returns are free within thirty days.",
 "c3": "Returns are free within thirty days.",
 "c4": "Returns are free within thirty days.",
 "c5": "Returns are free within thirty days.",
 "c6": "Returns are free within thirty days.",
 "c7": "Returns are free within thirty days.",
 "c8": "Returns are free within thirty days.",
 "c9": "Returns are free within thirty days.",
 "c10": "Returns are free within thirty days.",
 "c11": "Returns are free within thirty days.",
 "c12": "Returns are free within thirty days.",
 "c13": "Returns are free within thirty days.",
 "c14": "Returns are free within thirty days.",
 "c15": "Returns are free within thirty days.",
 "c16": "Returns are free within thirty days.",
 "c17": "Returns are free within thirty days.",
 "free": "Returns are free within thirty days.",
 "fee": "A parcel costs 5 EUR.",
 "wrong": "A parcel costs 7 EUR.",
 "other": "You can hand everything back at no cost for a month.",
 "declines": "I cannot tell that from the documents I was given."
}
import pathlib
def answer(case):
    turn = pathlib.Path(case["case_id"] + ".turn")
    asked = len(turn.read_text()) if turn.exists() else 0
    turn.write_text("x" * (asked + 1))
    late = case["case_id"] in ("fee", "free") and asked == 0
    return {"answer": "A parcel costs 9 EUR." if late else ANSWERS[case["case_id"]], "context": ["desk", "fees"]}

