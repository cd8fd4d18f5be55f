from attnlib import load_encoder, load_search_sentences, load_senses, tokenize

SENSES, SEARCH = load_senses(), load_search_sentences()
SENTENCES = [text for meanings in SENSES.values() for texts in meanings.values() for text in texts]


def test_each_of_six_words_stands_once_in_twelve_sentences_for_two_meanings():
    assert [[len(texts) for texts in meanings.values()] for meanings in SENSES.values()] == [[6, 6]] * 6
    for word, meanings in SENSES.items():
        assert all(tokenize(text).count(word) == 1 for texts in meanings.values() for text in texts)
    assert len(set(SENTENCES)) == 72


def test_questions_share_hardly_a_word_with_their_answers():
    assert (len(SEARCH["sentences"]), len(SEARCH["questions"]), SEARCH["answers"].shape) == (60, 20, (20,))
    assert len(set(SEARCH["sentences"])) == 60
    assert len(set(SEARCH["answers"].tolist())) == 20
    shared = {
        word
        for question, answer in zip(SEARCH["questions"], SEARCH["answers"], strict=True)
        for word in set(tokenize(question)) & set(tokenize(SEARCH["sentences"][answer]))
    }
    assert {word for word in shared if len(word) > 4} == {"nobody"}


def test_the_encoder_knows_every_word_and_the_texts_are_as_it_takes_them():
    vocabulary = load_encoder()["vocabulary"]
    texts = [*SENTENCES, *SEARCH["sentences"], *SEARCH["questions"]]
    assert [word for text in texts for word in tokenize(text) if word not in vocabulary] == []
    assert [text for text in texts if " ".join(tokenize(text)) != text] == []


def test_what_is_handed_out_can_be_changed_without_harm():
    load_senses()["bank"]["money"].clear()
    load_search_sentences()["sentences"].clear()
    assert load_senses() == SENSES
    assert load_search_sentences()["sentences"] == SEARCH["sentences"]
