def named(**entries):
    right = {
        "unit 829": ["no", "not", "never"],
        "unit 1058": ["how", "which", "who"],
        "unit 561": ["pictures", "picture", "image"],
    }
    return right | {name.replace("_", " "): value for name, value in entries.items()}


NEARLY = named(
    unit_829=["no", "not", "nothing"], unit_1058=["how", "which", "what"], unit_561=["pictures", "picture", "images"]
)

WRONG = [
    (named(unit_829=["how", "which", "who"], unit_1058=["no", "not", "never"]), "units-exchanged"),
    (NEARLY, "fourth"),
]
