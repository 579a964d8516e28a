"""The one small test set that every tool writes in its own form."""

SAMPLES = [
    (
        "How long can a parcel be returned?",
        "A parcel can be returned within 30 days of delivery.",
        ["A parcel can be returned within 30 days of delivery.", "Refunds are paid to the card that was charged."],
    ),
    (
        "When is the desk open?",
        "The desk is open from 9 to 17 hours.",
        ["The desk is open from 9 to 17 hours on working days."],
    ),
]
RIGHT = {
    "How long can a parcel be returned?": "Within 30 days of delivery.",
    "When is the desk open?": "From 9 to 17 hours, on working days.",
}
GOLDS = {
    "How long can a parcel be returned?": ["A parcel can be returned within 30 days of delivery."],
    "When is the desk open?": ["The desk is open from 9 to 17 hours on working days."],
}
