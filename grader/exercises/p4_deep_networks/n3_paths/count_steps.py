import numpy as np

from grader.exercises.kinds import Entry, values

#: By row of the table: what the RNN has, and what attention has.
RIGHT = {
    "steps to read": [100, 1],
    "steps to write": [100, 100],
    "longest road": [99, 1],
    "scores": [0, 10_000],
    "kept": [32, 6_400],
}

#: What each slip changes.
SLIPS = {
    "writes-at-once": {"steps to write": [100, 1]},
    "first-is-written-too": {"steps to write": [99, 99]},
    "attention-writes-one-less": {"steps to write": [100, 99]},
    "rnn-writes-one-less": {"steps to write": [99, 100]},
    "passes-of-attention": {"steps to read": [100, 2]},
    "stages-of-attention": {"steps to read": [100, 3]},
    "one-step-less": {"steps to read": [99, 1]},
    "one-step-less-twice": {"steps to read": [99, 1], "steps to write": [99, 100]},
    "both-one-less": {"steps to read": [99, 1], "steps to write": [99, 99]},
    "steps-of-attention": {"steps to read": [100, 100]},
    "road-of-words": {"longest road": [100, 1]},
    "road-there-and-back": {"longest road": [99, 2]},
    "no-road": {"longest road": [99, 0]},
    "road-and-steps-exchanged": {"steps to read": [99, 1], "longest road": [100, 1]},
    "scores-of-one-query": {"scores": [0, 100]},
    "past-only": {"scores": [0, 5_050]},
    "past-only-without-itself": {"scores": [0, 4_950]},
    "others-only": {"scores": [0, 9_900]},
    "scores-by-width": {"scores": [0, 320_000]},
    "rnn-scores": {"scores": [100, 10_000]},
    "passages-as-scores": {"scores": [99, 10_000]},
    "keys-only": {"kept": [32, 3_200]},
    "keeps-weights-too": {"kept": [32, 16_400]},
    "keeps-queries-too": {"kept": [32, 9_600]},
    "keeps-the-last": {"kept": [32, 64]},
    "keeps-one-row": {"kept": [32, 32]},
    "keeps-the-new-word": {"kept": [32, 6_464]},
    "keeps-the-query": {"kept": [32, 6_432]},
    "keeps-scores": {"kept": [32, 10_000]},
    "reads-and-writes": {"steps to write": [200, 200]},
    "counts-stages": {"steps to read": [100, 3], "steps to write": [100, 300]},
    "rows-kept": {"kept": [32, 200]},
    "rows-kept-of-both": {"kept": [1, 200]},
    "keeps-all-states": {"kept": [3_200, 6_400]},
    "keeps-words-too": {"kept": [64, 6_400]},
    "counts-the-matrix": {"kept": [1_024, 6_400]},
    "counts-both-matrices": {"kept": [2_080, 6_400]},
    "reads-at-once": {"steps to read": [100, 0]},
    "writes-by-pairs": {"steps to write": [100, 5_050]},
    "both-write-at-once": {"steps to write": [1, 1]},
    "road-without-ends": {"longest road": [98, 1]},
    "road-word-by-word": {"longest road": [99, 99]},
    "rnn-reads-and-writes": {"steps to write": [200, 100]},
    "counts-scores-as-steps": {"steps to write": [100, 10_000]},
    "one-number-for-the-state": {"kept": [1, 6_400]},
    "passages-squared": {"scores": [99, 9_900]},
    "with-a-start": {"scores": [0, 10_201]},
    "same-road": {"longest road": [100, 100]},
    "both-read-at-once": {"steps to read": [1, 1]},
    "both-read-one-less": {"steps to read": [99, 99]},
    "start-is-read": {"steps to read": [101, 1]},
    "reads-in-two-steps": {"steps to read": [200, 1]},
    "scores-as-steps-to-read": {"steps to read": [100, 10_000]},
    "both-direct": {"longest road": [1, 1]},
    "both-score": {"scores": [10_000, 10_000]},
    "one-score": {"scores": [1, 10_000]},
    "rows-as-scores": {"scores": [0, 3_200]},
    "queries-and-keys": {"scores": [0, 200]},
    "keeps-nothing": {"kept": [0, 6_400]},
    "one-row-each": {"kept": [3_200, 3_200]},
    "both-look-up": {"kept": [6_400, 6_400]},
    "keeps-state-and-matrix": {"kept": [1_056, 6_400]},
    "words-counted": {"kept": [32, 100]},
    "one-word-less": {"kept": [32, 6_336]},
    "writes-one-more": {"steps to write": [101, 101]},
    "kept-twice": {"kept": [32, 12_800]},
    "with-one-more": {"scores": [0, 10_100]},
    "no-power": {"scores": [0, 102]},
    "road-of-words-there-and-back": {"longest road": [100, 2]},
    "reads-again-and-again": {"steps to write": [5_050, 5_050]},
}


@values(
    points=2,
    task="count steps, roads, scores, and what is kept",
    entries=(
        Entry("steps to read", "steps to read, of RNN and attention", 0.2, decimals=0),
        Entry("steps to write", "steps to write, of RNN and attention", 0.2, decimals=0),
        Entry("longest road", "longest road, of RNN and attention", 0.2, decimals=0),
        Entry("scores", "scores, of RNN and attention", 0.2, decimals=0),
        Entry("kept", "kept, of RNN and attention", 0.2, decimals=0),
    ),
    mistakes="""
    columns-exchanged: RNN and attention have changed places -> Each pair begins with the RNN. -> Exchange the two
        numbers of each pair.
    writes-at-once: attention writes all its words in one step -> The next word is not there to be read before it has
        been written. Only in training, where the whole text is there already, can all places be computed at once. ->
        How many words have to wait for another?
    first-is-written-too: writing takes 99 steps -> Between 100 words there are 99 passages, but the first word is
        written too, and that is a step. -> One step for each word.
    attention-writes-one-less: attention writes its 100 words in 99 steps -> Between 100 words there are 99 passages,
        but the first word is written too, and that is a step. -> One step for each word.
    rnn-writes-one-less: the RNN writes its 100 words in 99 steps -> Between 100 words there are 99 passages, but the
        first word is written too, and that is a step. -> One step for each word.
    passes-of-attention: attention takes two steps to read -> Scores first, then the averages: that is so, but both
        belong to one pass, whatever the number of words. The question is what has to wait for *another word*. -> A
        whole pass through the layer is one step.
    stages-of-attention: attention takes three steps to read -> Scores, softmax, averages: so it is, but all three
        belong to one pass, whatever the number of words. The question is what has to wait for *another word*. ->
        A whole pass through the layer is one step.
    one-step-less: reading takes the RNN one step less than there are words -> Between 100 words there are 99 passages,
        but the first word is read as well. -> One step for each word.
    one-step-less-twice: the RNN takes one step less than there are words -> Between 100 words there are 99 passages,
        but the first word takes a step as well. -> One step for each word.
    both-one-less: a step is missing -> Between 100 words there are 99 passages, but the first word takes a step as
        well. -> One step for each word.
    steps-of-attention: attention reads word by word -> No score needs another score: all of them are one product of
        matrices. -> Which of its words has to wait for another?
    road-of-words: you count the words on the road instead of the passages -> From the first state to the hundredth the
        state is passed on from word to word; the first word's own state needs no passage. -> One less than there are
        words.
    road-there-and-back: two steps for attention's road -> In one context vector the first word is weighed and added:
        the last word does not have to ask anybody in between. -> How many layers does it take?
    no-road: no step at all for attention's road -> The first word still has to go through one weighted sum. -> How many
        layers does it take?
    road-and-steps-exchanged: the RNN's steps and the length of its road have changed places -> Each word takes a step;
        between two words that follow each other lies one passage. -> For 2 words: two steps, a road of one.
    scores-of-one-query: you count the scores of one query -> Each of the words asks, and each time all are compared. ->
        A whole matrix of scores.
    past-only: you count only what lies before each word, and itself -> That is what a causal mask leaves. Here nothing
        is forbidden. -> A whole matrix of scores.
    past-only-without-itself: you count each pair of words once -> A word asks itself as well, and the score of a for b
        is not that of b for a. -> A whole matrix of scores.
    others-only: you leave out what each word scores with itself -> A word's own key is among those that it asks. -> A
        whole matrix of scores.
    scores-by-width: you count the products that the scores are made of -> Each score adds up 32 of them to one number.
        -> Count the scores.
    rnn-scores: you give the RNN scores -> It compares nothing with anything: the old state goes on, wanted or not. ->
        None.
    passages-as-scores: you give the RNN a score for each passage -> From state to state nothing is compared: the old
        state goes on, wanted or not. -> None.
    keys-only: you keep one row for each word -> With the keys alone there is nothing to average; with the words
        themselves both would have to be computed anew. A query is compared with the old keys, and averages the old
        *values*. -> Two rows for each word.
    keeps-weights-too: you keep the weights as well -> The next word makes a row of weights of its own; nobody asks for
        the old ones. -> What does a new query need of each old word?
    keeps-queries-too: you keep the queries as well -> Each query has had its answer. Only the new word asks. -> What
        does a new query need of each old word?
    keeps-the-last: you keep key and value of one word only -> The next word may want to look at any of the 100. -> Two
        rows for each word.
    keeps-one-row: you keep one row for attention as well -> A single row would be a summary again. The next word may
        want to look at any of the 100. -> Two rows for each word.
    keeps-the-new-word: you count the new word, too -> What has to be *kept* is what came before it; its own key and
        value are computed when it comes. -> The 100 words that have been read.
    keeps-the-query: you keep 32 numbers more than the keys and values -> A new query comes with the new word and is
        computed from it; there is no state that goes on, either. -> Two rows for each of the 100 words, and nothing
        else.
    keeps-scores: you keep the scores -> The next word makes a row of scores of its own; nobody asks for the old ones.
        -> What does a new query need of each old word?
    reads-and-writes: you count reading and writing as steps of their own -> Each word that is written is read in the
        very step that makes the next one. -> One step for each word.
    counts-stages: you count scores, softmax and average as steps -> They are three products or so, whatever the number
        of words. The question is what has to wait for *another word*. -> A whole pass through the layer is one step.
    rows-kept: you count rows, not numbers -> Each row has 32 numbers. -> Rows times numbers in a row.
    rows-kept-of-both: you count rows, not numbers, one for the RNN and two for each word -> Each row has 32 numbers.
        -> Rows times numbers in a row.
    keeps-all-states: the RNN keeps all its states -> The next step asks for the last one only: that is what an RNN
        saves, and what it pays for. -> One state.
    counts-the-matrix: the RNN's matrix is in your count -> What was learned is there before the first word, for any
        text. -> Count what has to be kept *of these words*.
    counts-both-matrices: what the RNN has learned is in your count, its matrices and its bias -> That is there before
        the first word, for any text. -> Count what has to be kept *of these words*.
    road-word-by-word: attention's road is as long as the RNN's -> The last word asks the first one directly, with
        nobody in between. -> How many weighted sums lie between the first word and the last one's context?
    rnn-reads-and-writes: the RNN takes a step for each word that it reads and one for each that it writes -> Each word
        that is written is read in the very step that makes the next one. -> One step for each word.
    counts-scores-as-steps: you count scores in the place of steps -> That many are computed in the end, but all that do
        not wait for each other are one step. -> How often does a word have to wait for another?
    one-number-for-the-state: the RNN's state counts as one number -> A state has as many numbers as the hidden layer.
        -> 32 of them.
    passages-squared: you count passages, and the pairs of words without each word itself -> The RNN compares nothing
        with anything, and in attention a word asks itself as well. -> No score, and a whole matrix of scores.
    with-a-start: you count scores of 101 words -> There are 100 of them; nothing stands before the first. -> A whole
        matrix of scores.
    reads-at-once: no step at all for attention's reading -> All scores at once have still to be computed, and the
        averages after them. -> Count whole passes through the layer.
    writes-by-pairs: you count pairs of words, not steps -> That many scores attention has computed in the end; but
        words come one by one. -> One step for each word.
    both-write-at-once: both write all their words in one step -> The next word is not there to be read before it has
        been written. -> How many words have to wait for another?
    road-without-ends: you count the words between the first and the last -> A road counts passages: from the first to
        the second is one already. -> For 2 words: a road of one.
    same-road: attention's road is as long as the RNN's, and counts words -> The last word asks the first one directly,
        with nobody in between; and from state to state lies a passage, one less than there are words. -> How often is
        what comes of the first word passed on?
    both-read-at-once: the RNN reads all words in one step -> No state can be computed before the one it comes from. ->
        One step for each word.
    both-read-one-less: both take one step less than there are words -> The first word of the RNN takes a step as well,
        and attention waits for no word at all. -> One step for each word, and one whole pass through the layer.
    start-is-read: you count a step for the state before the first word -> It is zeros: nothing has to be computed. ->
        One step for each word.
    reads-in-two-steps: the RNN takes two steps for each word -> The word's part and the old state's part are one sum,
        and the tanh belongs to it. The question is what has to wait for *another word*. -> One step for each word.
    scores-as-steps-to-read: you count attention's scores in the place of its steps -> That many are computed, but none
        of them waits for another. -> Count whole passes through the layer.
    both-direct: the RNN's road has one passage -> From state to state is one passage, and the first word's state is not
        the last one. -> For 2 words: a road of one. For 100?
    both-score: you give the RNN as many scores as attention -> It compares nothing with anything: the old state goes
        on, wanted or not. -> None.
    one-score: you give the RNN a score -> It compares nothing with anything: the old state goes on, wanted or not. ->
        None.
    rows-as-scores: you count the numbers of a row for each word -> A score compares two words, a query with a key, and
        each of the words asks. -> A whole matrix of scores.
    queries-and-keys: you count queries and keys -> Each query is compared with each key. -> A whole matrix of scores.
    keeps-nothing: the RNN keeps nothing -> All that it knows of the 100 words is in its last state. -> One state.
    one-row-each: both keep one row for each word -> The RNN's next step asks for the last state only, and attention's
        for a key *and* a value of each word. -> One state, and two rows for each word.
    both-look-up: both keep two rows for each word -> The RNN's next step asks for the last state only. -> One state.
    keeps-state-and-matrix: the RNN's matrix is in your count -> What was learned is there before the first word, for
        any text. -> Count what has to be kept *of these words*.
    words-counted: you count the words, not the numbers that are kept of each -> Of each word a key and a value are
        kept, of 32 numbers each. -> Two rows of 32 for each word.
    one-word-less: a word is missing in what attention keeps -> All 100 have been read, and the new one may look at any
        of them. -> Two rows for each of the 100 words.
    writes-one-more: a step is too many in your writing -> With each step one word is written and read; before the first
        nothing has to be done. -> One step for each word.
    kept-twice: attention keeps everything twice in your count -> Of each word a key and a value are kept: two rows. ->
        Two rows of 32 for each word.
    with-one-more: you count scores with one word more -> There are 100 of them, on both sides. -> A whole matrix of
        scores.
    no-power: `^` is no power in Python -> It compares the bits of two numbers, and `100 ^ 2` is 102. -> `100**2`.
    road-of-words-there-and-back: you count words on the RNN's road, and two steps for attention's -> From state to
        state lies a passage, one less than there are words; and attention's last word asks the first one directly. ->
        For 2 words: a road of one for both.
    reads-again-and-again: you count all words before each one once more -> So it would be without anything kept. Here
        each word that is written takes one step. -> One step for each word.
    keeps-words-too: the RNN keeps the last word as well -> Whatever it is to know of that word is in the state already.
        -> One state.
    """,
)
def count_steps(wrong=frozenset()):
    found = dict(RIGHT)
    for name, changed in SLIPS.items():
        if name in wrong:
            found |= changed
    turn = -1 if "columns-exchanged" in wrong else 1
    return {name: np.array(pair[::turn], dtype=float) for name, pair in found.items()}
