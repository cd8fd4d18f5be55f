"""Slips of Python and NumPy, told by the exception that they raise."""

import difflib
import re
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from grader.judging.answer import Outcome
from grader.judging.shapes import axes_wanted, in_pieces, too_short
from grader.judging.source import Source
from grader.judging.verdict import Advice

#: (id, class of the exception, what its message holds, looks like, why, what to do); {} takes the groups of the
#: pattern. The line of the learner is said before all else.
_SLIPS = (
    (
        "not-a-method-result",
        "TypeError",
        r"\bNoneType\b",
        "something is None that you go on with",
        "Three things are None: an argument that is left out, what a function without a `return` gives (as does one of "
        "yours that is not written yet), and what comes back from `list.sort()`, `append` and `np.put_along_axis`, "
        "which change what they are given.",
        "Is it an argument? Use it only `if ... is not None`. Is it what a function of yours gives? Write that one "
        "first. Otherwise, use what was changed, not what came back.",
    ),
    (
        "array-truth",
        "ValueError",
        r"truth value of an? (?:array|empty)",
        "you use an array as a condition",
        "An array with several numbers is neither true nor false, so Python refuses to choose.",
        "To ask whether something is there, write `if x is not None:`. To choose for each entry, use "
        "`np.where(condition, a, b)`, or go through the entries one by one; `.any()` and `.all()` make one answer of "
        "all.",
    ),
    (
        "float-size",
        "TypeError",
        r"'float' object cannot be interpreted as an integer|slice indices must be integers|"
        r"'numpy.float64' object cannot be interpreted|expected a sequence of integers or a single integer",
        "you use a number with a point (2.0, not 2) as a size or a count",
        "Sizes and counts are whole numbers. `/` gives a number with a point, even 6 / 2; and what may be any number "
        "comes with one.",
        "Does it come of a division? Divide with `//`. Is it an argument? Then another may be meant, which counts.",
    ),
    (
        "several-for-a-count",
        "TypeError",
        r"'(tuple|list)' object cannot be interpreted as an integer",
        "a {0} stands where one whole number is wanted",
        "`range` and the lengths of a shape are single numbers; `x.shape` has one for each axis.",
        "`len(x)` is the length of the first axis and of a list, `x.shape[-1]` that of the last axis.",
    ),
    (
        "text-changed",
        "TypeError",
        r"'str' object does not support item (?:assignment|deletion)",
        "you put a letter into a text that is there already",
        "A text stays as it was made; what is to be another one has to be made anew.",
        "`text = text.replace(old, new)` makes a new text of one that is there; or gather letters in a list, and make "
        'one of them in the end: `"".join(letters)`.',
    ),
    (
        "float-index",
        "IndexError",
        r"only integers, slices|arrays used as indices must be of integer",
        "what you use as a place in an array is no whole number",
        "A place is a whole number, or True or False for each entry; 2.0 is neither, nor is a text.",
        "Look at what makes the places: a division, an array that `np.zeros` filled with decimals, a name?",
    ),
    (
        "unpacking",
        "ValueError",
        r"(too many|not enough) values to unpack \(expected (?:at least )?(\d+)",
        "you unpack into {1} names what holds {0} values for that",
        "A shape has one number for each axis, and there may be more axes than the example shows; an array unpacks "
        "into its rows, and what a function gives into as many results as its task says.",
        "Of a shape, count from the end: `*leading, n, d = X.shape`; of a function, look up what it returns.",
    ),
    (
        "power-sign",
        "TypeError",
        r"bitwise_xor|unsupported operand type\(s\) for \^",
        "you write `^` for a power",
        "In Python `^` compares bits; a power is written with two stars.",
        "Write `x ** 2`.",
    ),
    (
        "inner-sizes",
        "ValueError",
        r"matmul: .*mismatch in its core dimension .*\(size (\d+) is different from (\d+)\)|"
        r"shapes \(.*\) and \(.*\) not aligned",
        "you multiply two arrays whose inner sizes differ",
        "A product `A @ B` pairs the last axis of A with the last but one of B, or with the only one of a vector: both "
        "must have the same length.",
        "Write the shapes under the product. Has a matrix to be turned, is it another array, or another product (that "
        "of each number with each)? Was only one of the two cut? Or does a size of yours come from elsewhere: a fixed "
        "number, or another array's shape?",
    ),
    (
        "matmul-number",
        "ValueError",
        r"matmul: Input operand \d does not have enough dimensions",
        "one side of your `@` is a single number",
        "`@` multiplies vectors and matrices. A number has no axis to sum over.",
        "Multiply by a number with `*`; or look why there is only a number: was something summed up too far?",
    ),
    (
        "broadcast",
        "ValueError",
        r"operands could not be broadcast together with shapes (.+?)\s*$",
        "you combine two arrays whose shapes do not fit: {0}",
        "`+`, `*` and the like go entry by entry (a product of matrices is `@`). NumPy lines shapes up from the right: "
        "each pair of lengths must be equal, or one of them 1.",
        "Print both shapes. Was an array made with another length than it needs? An axis that `max`, `sum` or `mean` "
        "removed can stay with `keepdims=True`, in a batch as well; `x[..., None]` puts one behind all others.",
    ),
    (
        "ragged",
        "ValueError",
        r"inhomogeneous shape",
        "you make one array of things whose lengths differ",
        "An array has the same length in each row, so what is longer or shorter does not fit in.",
        "Look at what you put together. Rows that are to be one array are filled up to the longest; several results "
        "are returned side by side, with commas between them.",
    ),
    (
        "broadcast-into",
        "ValueError",
        r"could not broadcast input array from shape (\(.*?\)) into shape (\(.*?\))|"
        r"value array of shape (\(.*?\)) could not be broadcast to indexing result of shape (\(.*?\))|"
        r"setting an array element with a sequence",
        "you put something into a place of another shape",
        "A row takes a vector as long as itself, and an entry takes one number.",
        "Print both shapes: how long is the place, and how long is what you put there?",
    ),
    (
        "in-place-whole-numbers",
        "UFuncTypeError",
        r"Cannot cast ufunc .* output from",
        "you write numbers with decimals into an array of whole numbers, or of True and False",
        "`x -= y`, `x /= y` and `out=` write into an array that is there already, and it keeps its kind. "
        "`np.zeros_like(x)` is of the same kind as x.",
        "Make a new array (`x = x / y`), or one of the right kind: `np.zeros(x.shape)`.",
    ),
    (
        "whole-number-power",
        "ValueError",
        r"Integers to negative integer powers",
        "you raise whole numbers to a negative power",
        "NumPy refuses: what comes out is no whole number.",
        "Make floats of them first: `x = np.asarray(x, dtype=float)`.",
    ),
    (
        "reshape-size",
        "ValueError",
        r"cannot reshape array of size (\d+) into shape (\(.*\))",
        "you reshape {0} numbers into the shape {1}, which holds another count",
        "`reshape` keeps all the numbers and their order; the lengths of the new axes have to multiply to their count.",
        "Take each length from the array's own shape, not from another one or from the example.",
    ),
    (
        "transpose-axes",
        "ValueError",
        r"axes don't match array",
        "you name another number of axes than the array has",
        "`transpose` orders all axes anew, and wants each of them.",
        "`swapaxes(i, j)` exchanges two and leaves the others; `.T` turns all round.",
    ),
    (
        "axis-missing",
        "AxisError",
        r"axis (-?\d+) is out of bounds for array of dimension (\d+)",
        "you name axis {0} of an array that has only {1}",
        "Axes count from 0: a vector has axis 0 only, and a matrix the axes 0 and 1.",
        "Print the shape before that line. Counting from the end (`axis=-1`) also holds with more axes in front.",
    ),
    (
        "einsum-axes",
        "ValueError",
        r"(.*(?:einstein sum|einsum|than subscripts).*)",
        "the letters of your `einsum` do not fit the arrays: {0}",
        "Each array needs one letter for each of its axes; `...` stands for all axes in front, on both sides of the "
        "arrow, or not at all.",
        "Print the shapes of what you give it, and write the letters under them.",
    ),
    (
        "axes-in-front",
        "ValueError",
        r"remapped shapes \[original->remapped\]: (.*?)\s+and requested shape",
        "two arrays that `@` multiplies do not fit in the axes in front of their last two: their shapes are {0}",
        "`A @ B` multiplies matrices, which are the last two axes. Those in front count through the matrices: from the "
        "right, each pair of lengths must be equal, or one of them 1.",
        "Write both shapes one below the other, and leave out the last two axes of each. `.T` turns all axes round, "
        "`swapaxes(-1, -2)` the last two only; `B[:, None]` puts an axis in front of them; and where some matrices of "
        "one are chosen, the same have to be chosen of the other.",
    ),
    (
        "einsum-lengths",
        "ValueError",
        r"remapped shapes \[original->remapped\]: (.*)",
        "a letter of your `einsum` stands for axes of different lengths: the arrays are {0}",
        "The same letter in two places is one and the same axis, of one length.",
        "Write the lengths under the letters. Does one stand under the wrong axis? Or is an axis several things at "
        "once that stand on two axes elsewhere? Then split it first, by a `reshape`.",
    ),
    (
        "axis-needed",
        "ValueError",
        r"(requires an array of at least two dimensions|must be (?:at least )?(?:2|two)-?d\w*)",
        "a function that needs a matrix gets a vector",
        "`np.diagonal`, `np.trace` and the like read from a matrix; `np.diag` of a vector makes one.",
        "Print the shape before that line.",
    ),
    (
        "shape-index",
        "IndexError",
        r"tuple index out of range",
        "you ask for an axis that the array does not have",
        "`x.shape` has one number for each axis; a vector's has only one.",
        "Print the shape before that line; `x.shape[-1]` is always the last.",
    ),
    (
        "too-many-indices",
        "IndexError",
        r"too many indices for array: array is (\d+)-dimensional, but (\d+) were indexed",
        "you use more indices ({1}) than the array has axes ({0})",
        "Each index answers for one axis.",
        "Print the shape before that line: has an axis been summed away, or was it never there? A tuple in the "
        "brackets is one index for each axis; to choose several rows, give a list or an array.",
    ),
    (
        "past-the-end",
        "IndexError",
        r"index (-?\d+) is out of bounds for axis (\d+) with size (\d+)",
        "you reach for place {0} on an axis that has only {2}",
        "Places count from 0, so the last is one less than the length; `len(x)` is the length of the first axis only.",
        "Where does that place come from: a loop's range, another array's shape, a fixed number? And is it meant for "
        "this axis of this array?",
    ),
    (
        "list-too-short",
        "IndexError",
        r"list assignment index out of range",
        "you put something at a place of a list that it does not have",
        "An empty list has no places at all, and `H[i] = ...` makes none.",
        "`H.append(...)` makes a list longer; or begin with an array that has its places, `np.zeros(...)`.",
    ),
    (
        "past-the-end",
        "IndexError",
        r"(?:list|string|tuple) index out of range|index out of range",
        "you reach past the end of a list, or of a tuple",
        "Places count from 0, so the last is one less than the length.",
        "Check where your loop's range ends, and whether it counts the things in this list.",
    ),
    (
        "largest-of-nothing",
        "ValueError",
        r"zero-size array to reduction operation (\w+)|(?:max|min)\(\) (?:arg|iterable argument) is",
        "you ask for the largest or smallest of an array in which nothing is",
        "A slice that ends where it begins, or before, is empty; so is what a mask chooses where nothing is True.",
        "Print the shape before that line. Behind the colon of a slice stands the place of its end, not its length: "
        "`x[i : i + n]` holds n.",
    ),
    (
        "next-of-nothing",
        "StopIteration",
        r"",
        "you ask `next` for the first thing, and there is none",
        "What it goes through has come to its end: perhaps nothing in it fits the condition.",
        "Print what it goes through. `next(..., None)` gives None then, and you can say what is to come of it.",
    ),
    (
        "places-together",
        "IndexError",
        r"indexing arrays could not be broadcast together with shapes (.+?)\s*$",
        "you choose by two arrays of places that are not equally long: {0}",
        "Several arrays in the brackets belong together, as pairs do: the first number of one and the first of the "
        "other say one place, the second ones the next.",
        "Print both. Each has to say one number for every place that you want. Where does the longer one begin or end "
        "too early or too late? (For all rows with all columns: `x[rows[:, None], columns]`.)",
    ),
    (
        "mask-shape",
        "IndexError",
        r"boolean index did not match",
        "you choose with a mask that has another shape than the array",
        "A mask needs one True or False for each place of the axes it chooses from.",
        "Print both shapes. `np.where(mask, a, b)` broadcasts; indexing with a mask does not.",
    ),
    (
        "joined-shapes",
        "ValueError",
        r"need at least one array",
        "you join arrays, and there are none",
        "The list of them is empty.",
        "Where is it filled, and is that line reached?",
    ),
    (
        "joined-shapes",
        "ValueError",
        r"must have same number of dimensions, but .* has (\d+) dimension\(s\) and .* has (\d+) dimension",
        "you join arrays with different numbers of axes: {0} and {1}",
        "Arrays that are joined all need the same number of axes; a vector has one, a matrix two.",
        "`x[..., None]` has one more axis, behind all others, and `x[None]` one in front of them.",
    ),
    (
        "joined-shapes",
        "ValueError",
        r"all the input array|all input arrays must have the same shape",
        "you join arrays that do not fit together",
        "`stack` wants arrays of one shape; `concatenate` and the like want the same lengths on all axes but the one "
        "along which they join.",
        "Print the shapes of what you join: is it the axis that you mean?",
    ),
    (
        "name-lookalike",
        "NameError",
        r"name '(\w*[^\x00-\x7f]\w*)' is not defined",
        "the name `{0}` is not defined, and holds a letter that is none of a to z",
        "Letters of other alphabets may look the same; for Python they are others.",
        "Type the name anew, with one keyboard; if you mean that letter, give the name a value first.",
    ),
    (
        "name-unknown",
        "NameError",
        r"name '(\w+)' is not defined",
        "the name `{0}` is not defined",
        "Python met it before anything had been given that name.",
        "Is it spelt as you first wrote it, or was it meant to be one of the arguments? If a cell of the notebook "
        "defines it, run that cell: nothing is left of it after a restart.",
    ),
    (
        "name-too-early",
        "UnboundLocalError",
        r"variable '(\w+)'",
        "`{0}` is used before it has a value",
        "It gets its value in a branch or a loop that was not run, or further down.",
        "Move the line that gives it a value up; or give it one before the loop, or in every branch.",
    ),
    (
        "keyword-unknown",
        "TypeError",
        r"got an unexpected keyword argument '(\w+)'",
        "`{0}` is no argument of the function that is called",
        "Arguments that are given by name have the names of its `def` line; `**some_dict` hands over all that the dict "
        "holds, whether they are wanted or not.",
        "Compare the names in your call with the function's help, and those of your own `def` line with the task's.",
    ),
    (
        "given-twice",
        "TypeError",
        r"got multiple values for (?:keyword )?argument '(\w+)'",
        "`{0}` gets two values: one by its place in the call, and one by its name",
        "What stands without a name takes the places of the `def` line one after the other.",
        "Give what comes behind it by name as well.",
    ),
    (
        "argument-count",
        "TypeError",
        r"takes (?:from )?(\d+)(?: to \d+)? positional arguments? but (\d+) (?:was|were) given|"
        r"missing \d+ required (?:positional|keyword-only) argument",
        "a function is called with too many or too few arguments",
        "Each argument of its `def` line needs a value, and there may be no more.",
        "Compare the call with the `def` line. What joins arrays takes one list of them: `np.vstack([a, b])`.",
    ),
    (
        "no-such-attribute",
        "AttributeError",
        r"'(?:\w+\.)*(\w+)' object has no attribute '(\w+)'",
        "you ask something of type {0} for `{1}`, which it does not have",
        "Each kind of thing has methods of its own: arrays, lists, None, and the tensors of PyTorch have others.",
        "Look up what it is called here (`np.` and the Tab key list what there is; of a dict it is `d[name]`), or "
        "which step gave that type where you expected another.",
    ),
    (
        "no-such-function",
        "AttributeError",
        r"module 'numpy' has no attribute '(norm|inv|pinv|solve|det|svd|qr|eigh?|eigvals|matrix_rank|multi_dot|lstsq)'",
        "there is no `np.{0}`: that is a function of `np.linalg`",
        "What NumPy has for matrices stands there.",
        "Write `np.linalg.{0}(...)`.",
    ),
    (
        "no-such-function",
        "AttributeError",
        r"module '(\w+)' has no attribute '(\w+)'",
        "there is no `{1}` in {0}",
        "It has another name there, or there is no such thing.",
        "`np.` and the Tab key list what there is. If the notebook gives you a function of that name, write it without "
        "anything in front.",
    ),
    (
        "called-a-number",
        "TypeError",
        r"'(?:\w+\.)*(\w+)' object is not callable",
        "you put parentheses behind something that is no function (it is of type {0})",
        "Parentheses call; square brackets choose a place. A name may also have been given to a result.",
        "Use square brackets to choose, `*` to multiply, and do not name a result like a function.",
    ),
    (
        "indexed-a-number",
        "Exception",
        r"'(?:\w+\.)*(\w+)' object is not subscriptable|invalid index to scalar variable|"
        r"'(?:numpy\.)?(?:float|int|bool|complex)\d*' object does not support item assignment",
        "you put square brackets behind something that has no places",
        "A number has none, nor has a function, a set, or what `zip` and `map` give.",
        "Print it one step before: was something summed up (without `axis` one number is left), chosen, or not called?",
    ),
    (
        "looped-a-number",
        "TypeError",
        r"'(?:\w+\.)*(\w+)' object is not iterable|iteration over a 0-d array",
        "you go through a single value as if it were a list (it is of type {0})",
        "A loop wants a list, an array or `range(n)`.",
        "Write `for i in range(n)`, or look why this is no list.",
    ),
    (
        "tuple-changed",
        "TypeError",
        r"'tuple' object does not support item (?:assignment|deletion)",
        "you put something into a tuple that is there already",
        "A tuple (several things in parentheses, or behind one `return`) stays as it was made; and one that was handed "
        "in belongs to whoever called.",
        "Take it apart into names (`a, b = pair`), and make new things of these.",
    ),
    (
        "product-of-numbers",
        "TypeError",
        r"unsupported operand type\(s\) for @: '(?:numpy\.)?(?:float|int)\d*' and '(?:numpy\.)?(?:float|int)\d*'",
        "you take a matrix product of two single numbers",
        "`@` adds up along an axis, and a number has none. A loop over a vector takes one number after the other.",
        "Print the shape of what your loop goes through: is each round a row, as you mean it to be?",
    ),
    (
        "not-called",
        "TypeError",
        r"operand type.*'(?:numpy\.)?(?:function|method|builtin_function_or_method|ufunc|type)'|"
        r"ufunc does not support argument \d of type (?:function|method|builtin_function_or_method|ufunc|type) ",
        "you calculate with a function, not with what it returns",
        "A name of a function without parentheses behind it is the function itself: `X.mean` is no mean.",
        "Call it: `X.mean(...)`. If it was called, a star or a comma may have slipped in front of its parentheses.",
    ),
    (
        "bits-of-decimals",
        "TypeError",
        r"ufunc '(?:invert|bitwise_and|bitwise_or)' not supported",
        "you use `~`, `&` or `|` on numbers with decimals",
        "They are for True and False. What `np.ones`, `np.zeros` and `np.tri` make is 1.0 and 0.0, unless they are "
        "told otherwise; and `a > 0 & b > 0` begins with `0 & b`.",
        "Say `dtype=bool` where the array is made, or write `.astype(bool)` behind it; put each comparison into "
        "parentheses.",
    ),
    (
        "minus-of-booleans",
        "TypeError",
        r"numpy boolean (?:negative|subtract)",
        "you use `-` on True and False",
        "NumPy has no minus for them.",
        "`~mask` turns them round. To calculate with 1 and 0, make numbers of them first: `mask.astype(float)`.",
    ),
    (
        "where-of-two",
        "ValueError",
        r"either both or neither of x and y should be given",
        "you give `np.where` two arguments",
        "It chooses between two things: it wants the condition, what to take where that is True, and what to take "
        "where it is False.",
        "Give it the third. What is to stand where the condition is False?",
    ),
    (
        "list-arithmetic",
        "TypeError",
        r"unsupported operand type\(s\) for|can't multiply sequence by non-int|"
        r"can only concatenate|bad operand type for unary|did not contain a loop with signature matching types",
        "you calculate with something that is no number and no array",
        "Lists are joined by `+` and repeated by `*`; with None, a text or a dict there is nothing to calculate.",
        "Make arrays of lists with `np.array(...)`; take a dict name by name, `d[name]`; and if it is None, a function "
        "above has no `return`.",
    ),
    (
        "list-index",
        "TypeError",
        r"(?:list|tuple) indices must be integers or slices, not (\w+)|string indices must be integers",
        "you index a list (or a tuple) as if it were an array, or a dict",
        '`a[i, j]` and `a[:, 0]` work on arrays, and `a["name"]` on a dict; a list takes one whole number.',
        "Make an array of it first: `np.array(...)`. Or is a dict meant that lies in the list: one of several layers?",
    ),
    (
        "key-missing",
        "KeyError",
        r"(.+)",
        "you look up {0}, and it is not there",
        "Square brackets raise a KeyError where the key is missing. What the keys are is the caller's choice, mostly.",
        "Did you write the key into that line yourself? Take the names from the dictionary that you are given: a loop "
        "over it goes through them. If a key may be missing, test with `in`, or use `.get(key, what_to_take_instead)`.",
    ),
    (
        "not-found",
        "ValueError",
        r"(.+ is not in list|.*x not in (?:list|tuple)|substring not found)",
        "you look for something that is not there ({0})",
        "`index` and `remove` raise a ValueError then. A text is found only if all its signs are the same: capitals "
        "too, and a full stop that `split` has left on a word.",
        "Print both: what you look for, and where.",
    ),
    (
        "changed-in-its-loop",
        "RuntimeError",
        r"(?:dictionary|[Ss]et|dictionary keys) changed .*during iteration",
        "you put something into a dict, or take it out, while a loop goes through it",
        "Then Python does not know what comes next.",
        "Loop over a copy of its names, `for name in list(d)`; or make a new dict.",
    ),
    (
        "not-installed",
        "ModuleNotFoundError",
        r"No module named '(\w+)",
        "you import `{0}`, which is not there",
        "The course works with NumPy, and with what the notebook's first cell imports; where it is graded there is "
        "nothing else.",
        "Leave the line out. What the task needs, the notebook gives you, or you write it yourself.",
    ),
    (
        "unhashable",
        "TypeError",
        r"unhashable type: '(?:numpy\.)?(\w+)'",
        "you use something of type {0} as a key, or put it into a set",
        "Keys are texts, numbers or tuples: things that cannot change.",
        "Look up the single item, in a loop.",
    ),
    (
        "size-as-type",
        "TypeError",
        r"Cannot interpret '(\d+)' as a data type",
        "you give the sizes one by one: {0} is taken for a data type",
        "`np.zeros` and `np.ones` take the whole shape as their first argument.",
        "Two pairs of parentheses: `np.zeros((n, m))`.",
    ),
    (
        "no-length",
        "TypeError",
        r"object of type '(?:\w+\.)*(\w+)' has no len\(\)",
        "you ask for the length of a single value (it is of type {0})",
        "A number has no length; neither has None.",
        "Is it the right argument, or was something counted, summed or chosen already?",
    ),
    (
        "list-by-array",
        "TypeError",
        r"only (?:integer scalar|0-dimensional) arrays can be converted to a scalar index",
        "you choose from a list by several places at once",
        "Square brackets behind a list (or a tuple) take one place; only an array gives several at once.",
        "Make an array of it first, with `np.array`; or take them one by one: `[x[i] for i in places]`.",
    ),
    (
        "one-number-wanted",
        "TypeError",
        r"only (?:length-1|0-dimensional|integer scalar) arrays can be converted",
        "a whole array stands where one number is wanted",
        "A size, a count, `math.exp`, `int`, `float` and `range` take one number.",
        "Was its length meant (`len(x)`, `x.shape[-1]`)? Or a function that does all numbers at once: `np.exp`? "
        "(`np.max(a, b)` takes b for an axis; the larger of two, entry by entry, is `np.maximum(a, b)`.)",
    ),
    (
        "library-refuses",
        "ValueError",
        r"^(\w+ must have shape \(\w+,\) = \((\d+),\); got shape \((\d+),\).*)",
        "you give a function of the course something that it cannot take: {0}",
        "It wants as many numbers here as what stands beside them has rows: {1}, not {2}.",
        "Print the shapes of both. Which rows go in there, all of them or some only? It wants one number for each of "
        "just these.",
    ),
    (
        "library-refuses",
        "ValueError",
        r"^(\w+ must have shape .*; got shape \(\d*,?\).*)",
        "you give a function of the course something that it cannot take: {0}",
        "It says which shape it wants, and gets a single vector or number.",
        "Are the arguments in their places? Give those by name that may be left out. Where a matrix is wanted, a "
        "vector `q` becomes one of a single row by `q[np.newaxis, :]`.",
    ),
    (
        "heads-of-columns",
        "ValueError",
        r"num_heads must divide d_model=(\d+)(?: unless d_k and d_v are given)?; got (?:num_heads=)?(\d+)",
        "a function of the course gets {0} columns, and is to make {1} heads of them: that does not come out even",
        "All heads have the same number of columns. Where columns of some heads are cut off, there are fewer heads as "
        "well.",
        "Print both numbers where you call it. Is one of them that of before a cut?",
    ),
    (
        "several-for-one",
        "ValueError",
        r"(\w+) must be rectangular",
        "things of different shapes arrive as one array (`{0}` in a function of the course)",
        "A function that returns several results gives a tuple of arrays, and a tuple is no array; nor is a list of "
        "rows that differ in length.",
        "Was one of several results meant? Take them apart: `first, second = ...`.",
    ),
    (
        "library-refuses",
        "TypeError",
        r"^(\w+ must .*)",
        "you give a function of the course something that it cannot take: {0}",
        "It says which argument, what it wants and what it got.",
        "Are the arguments in their places (give optional ones by name)? Print what you give it.",
    ),
    (
        "library-refuses",
        "ValueError",
        r"^(\w+ must not be empty: .*)",
        "you give a function of the course an array without anything in it: {0}",
        "A mask, a slice or a list has left nothing, in this call at least.",
        "Has your choice to leave something? If not: what does the task want then? Return that before this line.",
    ),
    (
        "library-refuses",
        "ValueError",
        r"^(?!Input must be 1- or 2-d)(\w+ must .*)",
        "you give a function of the course something that it cannot take: {0}",
        "It says which argument, what it wants and what it got.",
        "Are the arguments in their places (give optional ones by name)? Print the shape of what you give it.",
    ),
    (
        "endless-recursion",
        "RecursionError",
        r"",
        "your function calls itself deeper than Python lets it, which is about 1,000 times",
        "Inside your function its own name means the function that you are writing.",
        "Do the work in the body; the library's function of that name is not there. If it is to call itself, where "
        "does that end, and does each call come nearer to that end? Once for each thing in a long input is too deep: "
        "write a loop.",
    ),
    (
        "unfinished",
        "NotImplementedError",
        r"",
        "a part of your function is still to be written",
        "`raise NotImplementedError` marks what is missing, and ends the call there.",
        "Write that part, and take the line out.",
    ),
    (
        "overflow",
        "OverflowError",
        r"math range error|out of range",
        "a power overflows: it is larger than any float, as e to the 710 is",
        "Python's own powers raise an error where NumPy gives infinity.",
        "Subtract the largest of the numbers that belong together before the exponential.",
    ),
    (
        "overflow",
        "OverflowError",
        r"too large",
        "a whole number gets larger than any float",
        "Python's whole numbers have no end; floats end at about 10 to the 308.",
        "Look how that number grows, and whether it has to.",
    ),
    (
        "division-by-zero",
        "ZeroDivisionError",
        r"",
        "you divide by zero",
        "A sum, a length or a count can be 0.",
        "Look at what you divide by, and when it is 0: what is to come out then?",
    ),
)


#: What PyTorch's arrays and functions can do, and how NumPy says it.
_TORCH = {
    "unsqueeze": "`np.expand_dims` makes a new axis, `x[..., None]` one behind all others",
    "view": "`x.reshape(...)` makes another shape",
    "contiguous": "leave it out: `reshape` copies where it must",
    "permute": "`x.transpose(...)` orders the axes anew, `x.swapaxes(i, j)` exchanges two",
    "scatter_": "a matrix of rows and columns as indices sets places: `H[rows, columns] = 1`",
    "gather": "`np.take_along_axis(x, places, axis=...)` chooses by places",
    "masked_fill": "`np.where(mask, x, y)` chooses by a mask",
    "masked_fill_": "`np.where(mask, x, y)` chooses by a mask",
    "topk": "sort the places with `np.argsort` and keep the first of them",
    "norm": "`np.linalg.norm(x, axis=..., keepdims=True)` is the length",
    "cat": "`np.concatenate` joins arrays",
    "bmm": "`@` multiplies matrices, in a batch, too",
    "softmax": "write it with `np.exp`, or take the function of the course",
    "tensor": "`np.array` makes an array",
    "float": "`x.astype(float)` makes floats",
    "numpy": "it is a NumPy array already: leave it out",
    "dim": "the argument is called `axis`",
    "keepdim": "the argument is called `keepdims`, with an s",
    "size": "`x.shape[-1]` is the length of the last axis; `x.size` counts all the numbers",
}
#: What an array of NumPy has as well, but for something else.
_OTHERWISE = {"size": "'int' object is not callable", "view": "view() takes"}
_LETTERS = Advice(
    "you take the place of a letter for that of a word",
    "`find` (and `index`, of a text) says at which letter something begins.",
    "Look in the list of words: `words.index(word)`.",
)
_CALLED_OTHERWISE = Advice(
    "what you hand in takes other arguments than the task's function",
    "The check calls it with those of the task, as many as there and in that order.",
    "Compare your `def` line with the one that was given. Or is it another function that you hand in?",
)
_HIDDEN = Advice(
    "`{0}` has no value yet at the line that is to give it one, and needs one for that",
    "A name that gets a value somewhere in a function is the function's own, from its first line on: it hides what the "
    "notebook, or Python, calls so.",
    "If it is to begin with something, say so in a line above. If what is called so outside is meant, give your result "
    "another name.",
)
_KEPT = Advice(
    "`@{0}` keeps results by their arguments, and an array is no key",
    "It looks up whether your function was called with the same before; only what cannot change can be looked up.",
    "Take the line `@{0}` away.",
)
_ONE_LIST = (
    "`{0}` gets the arrays that it is to join one by one",
    "What joins arrays takes one list of them; a second argument is the axis.",
    "Put the arrays into brackets: `{0}([a, b], axis=...)`. A list that is there already needs no star.",
)
_SHAPE_WANTED = Advice(
    "`np.ndindex` gets an array where it wants a shape",
    "It counts through all places that arrays of a shape have.",
    "Write `np.ndindex(x.shape)`.",
)
#: Slips of the line that calls something: no words for an exception from inside a function of NumPy.
_OF_THE_CALL = """
argument-count given-twice keyword-unknown unpacking
shape-index too-many-indices no-such-attribute name-lookalike name-unknown name-too-early
called-a-number indexed-a-number looped-a-number list-index key-missing unhashable no-length not-a-method-result
"""
#: Slips that are the same wherever they are made.
_KNOWN_INSIDE = {"heads-of-columns", "several-for-one", "library-refuses", "unfinished"}
#: Slips that are the same in a function of another cell of the learner's.
_KNOWN_IN_OTHER_CELLS = {"endless-recursion"}
#: Said where the function that was called is the learner's own, of another cell.
OF_YOUR_OWN = " Or is the mistake in that function of yours? Run its own check first."
#: What makes one array of several things.
_JOINS = re.compile(r"array\(|stack\(|concatenate\(|append\(|block\(")
#: What NumPy says of an array in the place of an axis.
_AXIS_TWICE = re.compile(r"can be converted to a scalar index|multiple values for argument 'axis'")
#: Where a line takes one number, and where it chooses by what is no slice.
_TAKES_ONE, _CHOOSES = re.compile(r"\brange\(|\[[^\]]*:"), re.compile(r"[\w)\]]\[")
#: A loop that takes two things at a time out of what has one name.
_TWO_OF_A_DICT = re.compile(r"\bfor \w+, *\w+ in \w+ *[:}\])]")
_TUPLE = "A function that returns several results gives a tuple of arrays, and a tuple is no array."
_APART = "Take them apart: `first, second = ...`, or choose one by its place: `...[1]`."
#: Said of shapes that do not fit, where an array of them was made to be filled, or where the answer keeps axes.
MADE_TO_FILL = " Or has an array that you have made to begin with (`np.zeros`) another shape than its task wants?"
KEPT_AXIS = " Or is an axis that `keepdims=True` has kept too many here?"
#: Packages whose functions say in their messages what is wrong with an array that they get.
_SAY_IT = {"numpy"}
_FOREIGN = re.compile(
    r"'numpy.ndarray' object has no attribute '(\w+)'|module 'numpy' has no attribute '(?!norm')(\w+)'|"
    r"unexpected keyword argument '(dim|keepdim)'"
)


def named_in_numpy(name: str) -> str:
    """The functions of NumPy that are called nearly so, two at most, as one would write them; "" if there are none.

    Examples
    --------
    >>> named_in_numpy("tahn"), named_in_numpy("ln"), named_in_numpy("erf")
    ('`np.tan` or `np.tanh`', '`np.log`', '')
    """
    functions = [one for one in dir(np) if callable(getattr(np, one)) and one.islower()]
    near = ["log"] if name == "ln" else difflib.get_close_matches(name, functions, 2, 0.75)
    return " or ".join(f"`np.{one}`" for one in near)


def _from_torch(outcome: Outcome) -> Advice | None:
    """A name of PyTorch in a line of NumPy."""
    found = _FOREIGN.search(outcome.message)
    name = next((group for group in found.groups() if group), "") if found else ""
    there = [own for own, said in _OTHERWISE.items() if said in outcome.message and f".{own}(" in outcome.line]
    if name not in _TORCH and not there:
        return None
    return Advice(
        f"`{there[0]}` means something else in NumPy than in PyTorch"
        if there
        else f"`{name}` is PyTorch's; NumPy has no such thing",
        "Much is called the same in both, but not all.",
        f"In NumPy: {_TORCH[there[0] if there else name]}.",
    )


def _from_inside(outcome: Outcome) -> Advice:
    """Words for what a function refuses that was called in the answer's line."""
    name = outcome.inside.rpartition(".")[2]
    called = (
        f"the function `{name}`" if re.search(rf"\b{re.escape(name)}\b", outcome.line) else "a function that you call"
    )
    said = f"{outcome.error}: {outcome.message}" if outcome.message else outcome.error
    return Advice(
        f"{called} cannot work with what you give it ({said})",
        "The error arises inside that function: something that it gets is not what it takes.",
        "Print what you give it: is each thing in its place, and has it the kind and the shape that is wanted there?"
        + (OF_YOUR_OWN if outcome.inside.startswith("__main__.") else ""),
    )


def slip_of(outcomes: Iterable[Outcome], source: Source) -> tuple[str, Advice] | None:
    """The slip that the first telling exception gives away, with its words; None if none does."""
    for outcome in outcomes:
        # What the learner's own line refuses is no slip, but for what is still to be written.
        if not outcome.error or (outcome.refused and outcome.error != "NotImplementedError"):
            continue
        at = f", at the line `{outcome.line}`" if outcome.line else ""
        if "truth value" in outcome.message and "ndindex(" in outcome.line:
            return "shape-wanted", replace(_SHAPE_WANTED, looks_like=_SHAPE_WANTED.looks_like + at)
        if _AXIS_TWICE.search(outcome.message) and (joins := source.joins_one_by_one):
            looks, why, cure = (text.format(joins) for text in _ONE_LIST)
            return "joined-one-by-one", Advice(looks + at, why, cure)
        if foreign := _from_torch(outcome):
            return "from-pytorch", replace(foreign, looks_like=foreign.looks_like + at)
        if outcome.error in ("TypeError", "ValueError", "AttributeError", "NotPlain") and (
            none := source.none_in_use()
        ):
            return none
        if uncalled := source.uncalled(outcome.line):
            return uncalled
        package, _, inner = outcome.inside.rpartition(".")
        for slip, kind, pattern, looks, why, cure in _SLIPS:
            found = re.search(pattern, outcome.message) if kind in (outcome.error, *outcome.kinds) else None
            if package == "__main__" and slip in _KNOWN_IN_OTHER_CELLS and found:
                return slip, Advice(looks.replace("your function", f"`{inner}`", 1) + at, why, cure)
            if not found or (
                package and slip not in _KNOWN_INSIDE and (package not in _SAY_IT or slip in _OF_THE_CALL.split())
            ):
                continue
            if slip == "list-by-array" and (_TAKES_ONE.search(outcome.line) or not _CHOOSES.search(outcome.line)):
                continue
            if slip == "shape-index" and "shape" not in outcome.line:
                continue  # any other tuple: a later one of these has the words
            if slip == "name-too-early" and source.hides(found.group(1)):
                return slip, replace(_HIDDEN, looks_like=_HIDDEN.looks_like.format(found.group(1)) + at)
            if slip in ("argument-count", "keyword-unknown") and not at and source.is_called_in(outcome.message):
                return slip, _CALLED_OTHERWISE
            if slip == "unhashable" and (cache := source.cache):
                return slip, replace(_KEPT, looks_like=_KEPT.looks_like.format(cache), cure=_KEPT.cure.format(cache))
            if slip == "past-the-end" and source.finds_letters:
                return "letters-counted", replace(_LETTERS, looks_like=_LETTERS.looks_like + at)
            groups = tuple(re.sub(r"->\(.*?\)", "", group or "").rstrip(". ") for group in found.groups())
            if slip == "reshape-size":
                groups = tuple(group.replace("newaxis", "-1") for group in groups)  # as it was written
            looks, why, cure = (text.format(*groups) if groups else text for text in (looks, why, cure))
            if slip == "ragged" and not _JOINS.search(outcome.line):
                several = "several things of different shapes stand where one array is wanted"
                return "several-for-one", Advice(several + at, _TUPLE, "Was one of several results meant? " + _APART)
            if slip == "broadcast":
                where = axes_wanted(outcome.message)
                cure = f"Print both shapes: whose axes are they? {where}" if where else cure
                cure += KEPT_AXIS * source.keeps_axes + MADE_TO_FILL * source.begins_with_one_of(outcome.line)
            if slip == "looped-a-number" and re.search(r"\+=|\.extend\(", outcome.line):
                cure = "`append` puts one thing behind the others; `+=` and `extend` take a whole list of them."
            if slip == "broadcast-into":
                cure += too_short(outcome.message)
            if slip == "unpacking" and _TWO_OF_A_DICT.search(outcome.line):
                cure = (
                    "A loop over a dict goes through its names alone; `.items()` gives names with what they stand for."
                )
            if groups[:1] == ("numpy",) and (near := named_in_numpy(groups[-1])):
                cure = f"Is it {near}? {cure}"
            if slip == "name-unknown" and hasattr(np, found.group(1)):
                cure = f"NumPy's is called `np.{found.group(1)}`. {cure}"
            if slip == "inner-sizes":
                cure += in_pieces(groups)
            return slip, Advice(f"{looks}{at}", why, cure)
        if package:
            inside = _from_inside(outcome)
            if "broadcast" in outcome.message and source.keeps_axes:
                inside = replace(inside, cure=inside.cure + KEPT_AXIS)
            return "refused-inside", replace(inside, looks_like=inside.looks_like + at)
    return None
