import numpy as np

from grader.exercises.kinds import Entry, values
from grader.exercises.stages import number, slip

OTHER_TEMPERATURES = {
    "divisor-inverted": 2.5,
    "scaled": 1.4,
    "scaled-inverted": 0.7,
    "no-temperature": 1.0,
    "no-logarithm": 0.1,
    "above-one": 2.0,
}
#: Between which temperatures a mistake lies, and one in between.
NEAR = {"of-the-odd-row": (0.24, 0.3, 0.34), "not-rounded": (0.33, 0.35, 0.47), "too-high": (0.47, 0.5, 0.97)}


@values(
    points=3,
    task="say what the pattern of the printed weights suggests",
    entries=(
        Entry("temperature", "the temperature of two rows", 0.5, decimals=2),
        Entry("odd", "the word whose row fits no temperature", 0.3),
        Entry("most", "the word to which The attends most", 0.2),
    ),
    mistakes="""
    divisor-inverted: you give the factor instead of the temperature -> Multiplying the scores by 2.5 is dividing them
        by something else, and that is the temperature. -> Give the number by which the scores are divided.
    scaled: you expect the scores to have been divided by the square root of 2 -> A divisor above 1 makes weights
        flatter. The printed ones are sharper than the right ones. -> Try temperatures below 1.
    scaled-inverted: you expect a factor of the square root of 2 -> At 0.7 the weights are sharper than the right ones,
        but the printed ones are sharper still. -> Try it on all three rows, and then lower temperatures.
    no-temperature: you give the temperature of the right weights -> The question is about the printed weights, which
        are sharper. -> Try temperatures below 1.
    of-the-odd-row=: you give 0.3, or a number near it, which only one row comes near to -> Two of its weights suggest
        0.3, but its third does not, and the other two rows agree on another temperature. -> Try your number on all
        three rows.
    too-high=: you give a temperature at which no row comes out -> At it the weights are flatter than the printed ones.
        -> Is it a step of your loop too high? Try it on all three rows.
    no-logarithm: you give 0.1, at which nearly all weight lies on the best key -> From the weights one gets to the
        scores by a logarithm: without it, the ratio of two weights gives another number. -> Try 0.1 on all three rows.
    above-one: you give 2, at which the weights are flatter than the right ones -> The printed ones are sharper. Is
        yours the factor of the scores? The temperature is what they are divided by. -> Try temperatures below 1.
    not-rounded=: you give a temperature near the one that is asked for -> At it the weights come near to the printed
        ones, but not in both rows to both decimals: an estimate from rounded weights is rough. -> Round it to one
        decimal, and try that.
    exchanged: `odd` and `most` have changed places -> The row that fits no temperature is one question, the word to
        which The attends most is another. -> Exchange the two.
    first-row: you name the first row, that of The -> There is one temperature that gives all three of its weights. ->
        Try the temperatures from 0.1 on, and see which rows come out.
    largest-fit: you name the row with the largest weight -> A large weight is no sign of an error; the question is
        whether one temperature explains all three weights of a row. -> Compute the temperature from each pair of
        weights in a row, and see in which row the pairs disagree.
    itself: you expect a word to attend most to itself -> A dot product rewards long keys as well as like directions, so
        another word can win. -> Read the largest entry in the first row of the right weights.
    neighbour: you expect a word to attend most to the next word -> The scores know nothing of places in the sentence.
        -> Read the largest entry in the first row of the right weights.
    """,
)
def audit_pattern(wrong=frozenset()):
    # In the middle of those at which softmax gives the printed rows of The and sat, from 0.391, where the second hint
    # comes to, to 0.404. An array, because of 0.6 nobody should be told that it is close.
    temperature = slip(wrong, OTHER_TEMPERATURES, np.array(0.398))
    for mistake, (above, usual, below) in NEAR.items():
        given = number(wrong, mistake, usual)
        if given and above < given < below:
            temperature = np.array(given)
    return {
        "temperature": temperature,
        "odd": slip(wrong, {"largest-fit": "sat", "exchanged": "sat", "first-row": "the"}, "cat"),
        "most": slip(wrong, {"itself": "the", "neighbour": "cat", "exchanged": "cat"}, "sat"),
    }
