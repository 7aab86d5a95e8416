"""The file of a survey's answers: no order of arrival in it, and nothing lost at any crash."""

import os
from itertools import count, permutations

import pytest
from scipy.stats import chisquare

from tightrope.errors import BadDocument, BadInput, SystemFailed
from tightrope.samplers import SeededSource
from tightrope.surveys import SurveyStore, records_file, survey_records
from tightrope.surveys.new_store import NewSurvey, write_survey
from tightrope.surveys.survey_head import HASH_BYTES, LINK, MARK_BYTES, SECTOR, Head
from tightrope.surveys.survey_store import Submission

LINKS = {f"link-{i}": "south" if i % 3 else "north" for i in range(12)}


def new_store(folder, links=LINKS, *, force=False):
    new = NewSurvey(b"{}", "digest", "token-of-owner", links, "http://test", ("q1", "q2"))
    paths = [folder / name for name in ("s.json", "s.answers", "s.links.csv")]
    write_survey(*paths, new, force=force)
    return paths[1]


def sent(token, value=7):
    return Submission(token, {"q1": value, "q2": 1}, f"receipt of {token}")


class Chosen:
    """A source that names one slot after the other."""

    def __init__(self, places):
        self.places = iter(places)

    def bytes(self, length):
        return next(self.places).to_bytes(length)


def test_the_same_answers_in_another_order_make_the_same_file(tmp_path, monkeypatch):
    """But for the slots, which chance chooses, not one byte depends on who came first."""
    path, made = new_store(tmp_path), []
    empty = path.read_bytes()
    slots = dict(zip(LINKS, (19, 3, 8, 0, 23, 11, 5, 14, 2, 21, 9, 16), strict=True))
    for order in (list(LINKS), list(LINKS)[::-1], sorted(LINKS)):
        path.write_bytes(empty)
        monkeypatch.setattr(survey_records, "SYSTEM", Chosen(slots[name] for name in order))
        with SurveyStore(path, "digest") as store:
            for i, name in enumerate(order):
                batch = [sent(name, ord(name[-1]))]
                assert store.accept(batch) == ["stored"]
                if i % 5 == 0:
                    assert store.accept(batch) == ["received"]
        made.append(path.read_bytes())
    assert made[0] == made[1] == made[2]
    assert made[0] != empty
    assert len(made[0]) == len(empty)
    assert {one.name for one in tmp_path.iterdir()} == {"s.json", "s.answers", "s.links.csv"}


def test_slots_are_uniform_whoever_comes_first(tmp_path, monkeypatch):
    """Two answers in four slots: all twelve pairs of places have the same chance."""
    path, source = new_store(tmp_path, {"a": "all", "b": "all"}), SeededSource(29)
    empty = path.read_bytes()
    monkeypatch.setattr(survey_records, "SYSTEM", source)
    monkeypatch.setattr(records_file.os, "fsync", lambda _: None)
    seen = dict.fromkeys(permutations(range(4), 2), 0)
    for _ in range(2400):
        path.write_bytes(empty)
        with SurveyStore(path, "digest") as store:
            store.accept([sent("a", 1)])
            store.accept([sent("b", 2)])
            head = store._records.head
        content = path.read_bytes()[head.slots_at:]
        parts = [content[i:i + head.slot.size] for i in range(0, len(content), head.slot.size)]
        places = {head.slot.unpack(part)[2]: i for i, part in enumerate(parts) if any(part)}
        seen[places[1], places[2]] += 1
    assert chisquare(list(seen.values())).pvalue > 1e-4


def test_every_byte_is_there_from_the_start(tmp_path):
    """A file with holes takes its blocks on the disk in the order in which answers come."""
    path = new_store(tmp_path, {f"link-{i}": "all" for i in range(2000)})
    state = path.stat()
    assert state.st_blocks * 512 >= state.st_size


def test_no_record_crosses_a_sector_of_the_disk(tmp_path):
    with SurveyStore(new_store(tmp_path), "digest") as store:
        head = store._records.head
        starts = (head.state_at, head.links_at, head.slots_at)
    assert [start % SECTOR for start in starts] == [0, 0, 0]
    for keys in range(1, 51):
        size = Head("", "", "", ("all",), ("q",) * keys, 3).slot.size
        assert SECTOR % size == 0


class Crash(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("step", range(9))
@pytest.mark.parametrize("closed", [False, True])
def test_whatever_step_is_the_last_an_answer_sent_again_is_stored_once(
    tmp_path, monkeypatch, step, closed
):
    """Three answers make three links, three slots and two waits for the disk: eight steps."""
    path, steps = new_store(tmp_path), count()

    def ending(method):
        def run(self, *args):
            if next(steps) == step:
                raise Crash
            return method(self, *args)

        return run

    batch = [sent(name) for name in list(LINKS)[:3]]
    with monkeypatch.context() as patched, SurveyStore(path, "digest") as store:
        for name in ("write", "sync"):
            patched.setattr(records_file._FilePages, name,
                            ending(getattr(records_file._FilePages, name)))
        if step < 8:
            with pytest.raises(Crash):
                store.accept(batch)
        else:
            assert store.accept(batch) == ["stored"] * 3
    with SurveyStore(path, "digest") as store:
        before = len(store.answers())
        if closed:
            store.finish()
        other = [Submission(one.token, {"q1": 0, "q2": 0}, "another") for one in batch]
        taken = [store.link(one.token).state == "used" for one in batch]
        again = store.accept(batch)
        assert again.count("stored") == (0 if closed else 3 - before)
        if not closed:
            assert set(store.accept(batch)) == {"received"}
            assert set(store.accept(other)) == {"replayed"}
            assert len(store.answers()) == 3
            assert {answer.responses["q1"] for answer in store.answers()} == {7}
        else:
            assert len(store.answers()) == before <= sum(taken)


def test_an_answer_twice_in_one_batch_is_stored_once(tmp_path):
    """Two tabs send the same draw at once; a third one, of another device, is another draw."""
    with SurveyStore(new_store(tmp_path), "digest") as store:
        other = Submission("link-0", {"q1": 9, "q2": 0}, "another")
        assert store.accept([sent("link-0"), sent("link-0"), other]) == [
            "stored", "received", "replayed"]
        assert [answer.responses["q1"] for answer in store.answers()] == [7]


def test_an_answer_is_said_to_be_stored_when_the_disk_has_it(tmp_path, monkeypatch):
    """The disk is waited for twice: after the links, and after the answers."""
    path, done, fsync = new_store(tmp_path), [], os.fsync
    empty = path.read_bytes()

    def waiting(descriptor):
        now = path.read_bytes()
        done.append(sum(a != b for a, b in zip(empty, now, strict=True)) > 0)
        fsync(descriptor)

    monkeypatch.setattr(records_file.os, "fsync", waiting)
    with SurveyStore(path, "digest") as store:
        assert store.accept([sent("link-1")]) == ["stored"]
    assert done == [True, True]


def test_a_disk_that_gives_up_is_told_and_nothing_counts_as_stored(tmp_path, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    with SurveyStore(new_store(tmp_path), "digest") as store:
        monkeypatch.setattr(records_file.os, "fsync", full)
        with pytest.raises(SystemFailed, match="no space left"):
            store.accept([sent("link-1")])
        monkeypatch.undo()
        assert store.answers() == []
        assert store.accept([sent("link-1")]) == ["stored"]


def test_a_record_that_was_changed_is_no_answer_and_no_use_of_a_link(tmp_path):
    """One bit of a response, or of the mark on a link: the record's own check says so."""
    path = new_store(tmp_path)
    with SurveyStore(path, "digest") as store:
        store.accept([sent("link-1")])
        head, whole = store._records.head, path.read_bytes()
        (place,) = (i for i in range(head.slots_at, len(whole), head.slot.size) if whole[i])
        with store._records.looking() as records:
            used = next(i for i, link in enumerate(records.links()) if link.mark)
        mark = head.links_at + used * LINK.size + HASH_BYTES + 4
        for changed, look in ((place + MARK_BYTES + 4, store.answers), (mark, store.links)):
            spoiled = bytearray(whole)
            spoiled[changed] ^= 1
            path.write_bytes(spoiled)
            with pytest.raises(BadDocument, match="damaged"):
                look()
        path.write_bytes(whole)
        assert len(store.answers()) == 1


def test_nothing_ties_an_answer_to_its_link(tmp_path):
    """No eight bytes of a link stand in an answer; token, receipt and owner stand nowhere."""
    path = new_store(tmp_path)
    with SurveyStore(path, "digest") as store:
        store.accept([sent(name) for name in LINKS])
        head = store._records.head
        with store._records.looking() as records:
            links = [link.hash + link.mark for link in records.links()]
    content = path.read_bytes()
    answers = content[head.slots_at:]
    windows = {part[i:i + 8] for part in links for i in range(len(part) - 7)}
    assert not any(window in answers for window in windows)
    for secret in ("receipt of", "link-1", "token-of-owner"):
        assert secret.encode() not in content


def test_two_processes_take_turns_at_a_store(tmp_path):
    """A second opening of the file, as another process has it, waits for the first."""
    from threading import Thread

    path, order = new_store(tmp_path), []
    with SurveyStore(path, "digest") as first, SurveyStore(path, "digest") as second:
        with first._records.alone():
            other = Thread(target=lambda: order.append(second.accept([sent("link-0")])))
            other.start()
            other.join(0.2)
            assert other.is_alive()
            order.append("first")
        other.join()
    assert order == ["first", ["stored"]]


@pytest.mark.parametrize("stored", [0, 1, 12])
def test_a_new_survey_never_takes_the_place_of_answers(tmp_path, stored):
    path = new_store(tmp_path)
    with SurveyStore(path, "digest") as store:
        store.accept([sent(name) for name in list(LINKS)[:stored]])
    before = {one.name: one.read_bytes() for one in tmp_path.iterdir()}
    if stored:
        with pytest.raises(BadInput, match="nothing overwrites"):
            new_store(tmp_path, {"fresh": "all"}, force=True)
        assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == before
    else:
        new_store(tmp_path, {"fresh": "all"}, force=True)
        with SurveyStore(path, "digest") as store:
            assert store.links() == {"all": (1, 0)}


def test_whoever_still_serves_a_replaced_survey_takes_no_answers(tmp_path):
    path = new_store(tmp_path)
    with SurveyStore(path, "digest") as serving:
        new_store(tmp_path, {"fresh": "all"}, force=True)
        assert serving.accept([sent("link-0")]) == ["closed"]
    with SurveyStore(path, "digest") as store:
        assert not store.closed


def test_a_file_that_cannot_be_read_is_not_overwritten_either(tmp_path):
    path = new_store(tmp_path)
    path.write_bytes(b"answers of long ago")
    with pytest.raises(BadInput, match="not the store of a survey"):
        new_store(tmp_path, force=True)
    assert path.read_bytes() == b"answers of long ago"
