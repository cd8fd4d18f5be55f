"""Mistakes that any function can show, recognised without an exercise's model, and their words."""

from grader.judging.verdict import Advice

#: Mistakes that any function can show, recognised without an exercise's model.
GENERAL = {
    "returns-none": Advice(
        "your function computes but does not return",
        "A function that ends without a `return` gives None to whoever called it.",
        "End the function with `return` and the result, on every way through it.",
    ),
    "prints-result": Advice(
        "you print the result instead of returning it",
        "A printed number can be read by you, but not used by the next function.",
        "Replace the `print` by a `return`.",
    ),
    "library-function": Advice(
        "this is the course library's own function",
        "The exercise is to write it: the check would only compare the library with itself.",
        "Write the body with NumPy. Functions of earlier notebooks may be used.",
    ),
    "changes-input": Advice(
        "you change an argument in place",
        "Whoever calls your function still needs what they passed in; the second call sees something else. To put it "
        "back afterwards does not help: rounding stays.",
        "Make something new (`y = x - 1`) instead of changing the old (`x -= 1`), or work on a copy (`x.copy()`). Of a "
        "dict: begin a new one (`{}`), and put new arrays into it.",
    ),
    "same-for-every-input": Advice(
        "your function returns the same whatever it is given",
        "It may hold what the example shows, or use a variable of the notebook instead of its arguments; or a loop "
        "ends in its first round, always in the same place.",
        "Compute everything from the arguments.",
    ),
    "transposed-result": Advice(
        "your result is transposed",
        "Rows and columns have changed places. Where there are as many of both, nothing complains.",
        "Check which axis each argument's rows end up on; the task states the shape.",
    ),
    "returns-argument": Advice(
        "you return the argument as it came",
        "Nothing was done to it, or something that leaves it as it was; perhaps the result went into a variable that "
        "is not returned.",
        "Print what you return: is it the result of the last step, and made of the right things?",
    ),
    "rounded": Advice(
        "you round the result",
        "Rounded numbers look tidy, but the next function works with what you return, and small ones vanish.",
        "Return the numbers as they are, and round only when you print them.",
    ),
    "swapped-results": Advice(
        "you return the right things in the wrong order",
        "Whoever unpacks the result gets one in place of the other.",
        "Return them in the order that the task states.",
    ),
    "first-result-only": Advice(
        "you return only the first of the results that are asked for",
        "Whoever unpacks the pair gets rows of one array instead of two results.",
        "Return both, separated by a comma, in the order that the task states.",
    ),
    "remembers": Advice(
        "your function remembers something from one call to the next, or draws at random",
        "Called again with the same arguments, it gave another result; whoever uses it cannot rely on it.",
        "Compute everything from the arguments, and keep nothing in a variable outside the function. Draw "
        "nothing, or with a seed of your own.",
    ),
    "depends-on-numbers": Advice(
        "your answer changes with numbers that do not matter",
        "Functions that do the same with the same tokens, on another scale, got other answers than before.",
        "What do you compare: the rows of what was given, or single numbers of them? Tell apart what is the same from "
        "what differs, however large the numbers are.",
    ),
    "empty-result": Advice(
        "your result is empty where it should hold something",
        "Nothing gets into it: a condition that is never true, a loop that never runs, or a slice that ends where it "
        "begins.",
        "Print what the condition says, or where the slice begins and ends, for the first input below.",
    ),
    "half-precision": Advice(
        "your result has half precision (`float16`): it holds three digits",
        "Whatever is calculated with it has no more, and no later function can put the other digits back.",
        "Leave NumPy's usual numbers as they are (`float64`, sixteen digits); `float32` is welcome, too.",
    ),
    "not-all-filled": Advice(
        "your function gives another result each time, and begins with an array that nobody has filled",
        "`np.empty` makes room and writes nothing into it: what is not filled holds what lay in memory before. Perhaps "
        "a `break` or a `return` ends a loop early, or some place is left out.",
        "Every place has to be filled, on every way. Begin with `np.zeros` in its place, and see where a 0 is left.",
    ),
    "never-ends": Advice(
        "your function takes longer than the check waits, and was stopped",
        "Either a loop runs for ever, or there is far too much work: all combinations, a very fine grid, or one number "
        "after the other where NumPy takes them all at once.",
        "Try it on something tiny, then on twice as much: how does the time grow? What changes from one round of a "
        "`while` to the next?",
    ),
    "all-zeros": Advice(
        "your result holds nothing but zeros",
        "Perhaps an array that `np.zeros` made was never filled, or was made anew after it had been filled; or what "
        "was changed is a copy (`flatten` makes one), so that a difference is 0; or a rule for single rows was "
        "applied to all of them; or what one line adds, the next takes off again; or `//` has cut off decimals.",
        "Is the line that fills it reached, and does it write into the array that you return? Print what it holds "
        "there.",
    ),
    "one-array-twice": Advice(
        "two of your names stand for one and the same array, and you change it under both",
        "`=` gives a thing one more name and makes no copy: what you change under one name is changed under the other.",
        "Make a copy for each name: `x.copy()`, or `x.astype(float)`.",
    ),
    "overflow": Advice(
        "a power overflows where numbers are large",
        "`np.exp(710)` is infinity, and infinity divided by infinity is NaN.",
        "Subtract the largest of the numbers that belong together before the exponential: the weights stay the same.",
    ),
    "divided-by-zero": Advice(
        "you divide by zero",
        "A number divided by 0 is infinity, 0 divided by 0 is NaN, and everything that is calculated with NaN is NaN.",
        "Find out when that sum, length or count is 0. Always: is anything ever added to it, or kept? For some inputs: "
        "is it taken along the right axis? If so, what does the task want then?",
    ),
    "not-infinite": Advice(
        "all is right but where infinity belongs",
        "What stands there says something else: any number is a value that may have been met, and NaN is none at all.",
        "Leave infinity in what you return. If a line cannot reckon with it, give a number in its place to that line "
        "alone.",
    ),
    "nearly-right": Advice(
        "your numbers are nearly right, but not quite",
        "They differ from the right ones by less than a hundredth. Perhaps something small is added, rounded or cut "
        "off on the way (an `eps`, a constant with few digits, `float32`); or a step is too long, or to one side only, "
        "or so short that rounding shows; or you take the best of a list of tries, and the right one lies between two "
        "of them.",
        "Look for small constants, for steps and for rounding: what is only near on the way?",
    ),
    "rows-mix": Advice(
        "a row of your result changes when only another row of an argument changes",
        "Each row has its own result here. Something is shared between rows: one sum or one maximum of everything, a "
        "variable that is not set back for the next row, or the wrong axis.",
        "Change one row of the example and look which rows of the result follow.",
    ),
    "made-anew": Advice(
        "what you return is made anew in each round of your loop",
        "What the rounds before have put into it is gone; only what the last one did is left.",
        "Make it once, in front of the loop.",
    ),
    "return-in-loop": Advice(
        "a `return` ends your loop in its first round",
        "`return` ends the function at once, wherever it stands; the other rounds never come.",
        "Put it after the loop, in the same column as the `for`.",
    ),
    "thrown-away": Advice(
        "a line of yours computes something and throws it away",
        "An expression on a line of its own changes nothing: `x - 1` leaves x as it was.",
        "Give the result a name (`x = x - 1`), or use it in the next step.",
    ),
    "ragged-result": Advice(
        "the rows of what you return differ in length",
        "Lists in a list are as good as an array only if all of them are equally long.",
        "Fill each row up to the length that the task asks for: what stands at the places that are missing?",
    ),
    "wrong-kind": Advice(
        "you return another kind of thing than the one that is asked for",
        "Whoever calls your function goes on with what the task states.",
        "Compare what the task says about the result with what stands behind your `return`.",
    ),
    "one-result-too-many": Advice(
        "what is asked for is there, but you return something besides",
        "Whoever calls your function gets several things and takes them for the result.",
        "Return the one thing that the task asks for.",
    ),
    "wrong-shape": Advice(
        "your result has another shape than the one that is asked for",
        "A sum or a product over another axis leaves other axes over; a cut or a fixed size leaves another length.",
        "Name each axis of each step: whose rows, and whose columns are they? And does your `return` hand out what "
        "your loop has filled?",
    ),
    "each-once": Advice(
        "the items are right, but each comes once, and their order is lost",
        "A `set` keeps neither repetitions nor order.",
        "Keep a list, and append to it in the order in which you meet them.",
    ),
    "none-sometimes": Advice(
        "for some inputs your function returns nothing",
        "A way through it ends without a `return`: after an `if`, or when a loop has found nothing.",
        "Follow each way to its end; the last line of the function should be a `return`.",
    ),
    "not-refused": Advice(
        "your function does not raise the error that the task asks for",
        "What cannot be computed should be refused, in words, where it happens: later nobody finds the cause.",
        "Use `raise ValueError(...)` (not `return`, `print` or `assert`) before you compute anything.",
    ),
    "other-lengths": Advice(
        "your result (each row of it, if there are several) is the right one times some number: its direction is "
        "right, its length is not",
        "All its numbers were divided or multiplied by one number that is another than the task's, or by none at all.",
        "Do you divide? Print by what, and compare it with what the task names: a length, a sum, a root, and of what?",
    ),
    "some-lengths": Advice(
        "some rows of your result are right, the others are the right ones times some number",
        "What divides or multiplies reaches some rows only, or another row too many.",
        "Which rows does that step take, and which does the task name?",
    ),
    "refuses-allowed": Advice(
        "your own line refuses something that is allowed",
        "The task says what is to be refused; all else has a result.",
        "Read its condition once more, at its edges. In a loop: is it asked before all have been looked at?",
    ),
    "result-truncated": Advice(
        "your result is the right one, but without the decimals",
        "An array of whole numbers (an argument itself, or what `np.zeros_like` makes of one) swallows the decimals of "
        "all that is put into it.",
        "Put your results into a new array, made with `np.zeros(shape)`; or look for `int` and `//`.",
    ),
    "rows-in-another-order": Advice(
        "the right rows are all in your result, in another order",
        "Each row is right by itself. Somewhere they were sorted or gathered, and not put back.",
        "Whoever sorts by `order` puts back by its inverse: `back[order] = rows`. Or keep each row's place from the "
        "beginning.",
    ),
    "same-numbers-elsewhere": Advice(
        "the right numbers are all in your result, but in other places",
        "A `reshape` only reads the numbers row by row and cuts them anew; it exchanges no axes. `.T`, `swapaxes` and "
        "`transpose` do, and which two they exchange decides where a number ends up.",
        "Follow one number of the example: where does it stand after each of your steps?",
    ),
    "columns-sum-to-one": Advice(
        "the columns of your weights sum to 1, not the rows",
        "A row belongs to one query, and its weights are shares of one whole. Perhaps the sums that you divide by are "
        "those of columns, or rows and columns have changed places.",
        "Which axis counts the queries? Sum along the other, the last one, with `keepdims=True`.",
    ),
    "rows-do-not-sum-to-one": Advice(
        "where your result is wrong, its rows do not sum to 1",
        "A row holds shares of one whole: together they are 1.",
        "After which of your lines do the rows no longer sum to 1? If you divide: is it by the sum of this row, taken "
        "after the last change of its numbers? If you put rows together that sum to 1: do their shares add up to 1?",
    ),
    "do-not-sum-to-one": Advice(
        "where your shares are wrong, they do not sum to 1",
        "They are shares of one whole: together they are 1.",
        "After which of your lines do they no longer sum to 1? If you divide: is it by the sum of all these numbers, "
        "taken after their last change?",
    ),
    "constant-factor": Advice(
        "your result is the right one times a constant",
        "All the rest is right.",
        "Look for a factor that is missing or too many, and for a sum where a mean is asked or the other way round.",
    ),
    "constant-offset": Advice(
        "your result is the right one plus a constant",
        "All the rest is right.",
        "Look for a term that is missing or too many.",
    ),
    "spelt-otherwise": Advice(
        "a text of yours is the right one, but written otherwise",
        "To a program two texts are the same only if each letter is, with its capitals, blanks and stops.",
        "Copy the text from the task, or take it from the list that the course has.",
    ),
    "not-booleans": Advice(
        "you return numbers (or texts) where True and False are asked for",
        "1 and 0 look alike, but `~`, `np.where` and choosing by a mask do other things with numbers.",
        "Compare: `i >= j` gives True and False; `.astype(bool)` makes them of numbers.",
    ),
}
