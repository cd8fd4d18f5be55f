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

LOWEST = named(
    unit_829=["other", "within", "fact"],
    unit_1058=["nothing", "translation", "trousers"],
    unit_561=["moment", "minister", "example"],
)

PUSHED = named(
    unit_829=["not", "no", "never"], unit_1058=["how", "who", "where"], unit_561=["pictures", "picture", "images"]
)

WITHOUT = named(
    unit_829=["no", "not", "nothing"],
    unit_1058=["how", "where", "which"],
    unit_561=["picture", "photograph", "pictures"],
)

WRONG = [
    (
        named(
            unit_829=["not", "no", "cannot"],
            unit_1058=["how", "who", "where"],
            unit_561=["pictures", "picture", "images"],
        ),
        "values-match",
    ),
    (PUSHED, "pushes"),
    (WITHOUT, "without-attention"),
    ({key: ["no", "not", "never"] for key in named()}, "one-unit-for-all"),
    (LOWEST, "lowest"),
    (LOWEST | {"unit 829": ["no", "not", "never"]}, "lowest"),
    (named(unit_829=["how", "which", "who"], unit_1058=["no", "not", "never"]), "units-exchanged"),
    (NEARLY, "fourth"),
]
