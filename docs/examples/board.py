#!/usr/bin/env python3
"""Reads and writes a board of Pawl's, with Python's standard library alone.

It follows docs/format.md, and shows how little a program in another language
needs to work beside Pawl: a lock, a rename, and the rules for edges.

    board.py .tasks list
    board.py .tasks next --as me
    board.py .tasks add '{"subject": "Write the tests", "blockedBy": [3, 4]}'
    board.py .tasks start 5 me
    board.py .tasks done 5 me
    board.py .tasks set 5 '{"priority": "high"}'
    board.py .tasks block 6 5        # 6 waits for 5
    board.py .tasks unblock 6 5
    board.py .tasks release 5 me
    board.py .tasks reopen 5
    board.py .tasks delete 5 me
    board.py .tasks -                # one command a line from stdin, as a JSON list

Each command prints one line of JSON. One that is refused prints {"refused": why}.
"""

import contextlib
import datetime
import json
import os
import re
import sys
import time

try:
    import fcntl
except ImportError:  # Windows has another lock
    sys.exit("board.py needs flock, which this system does not have")

NAME = re.compile(r"task_([1-9][0-9]*)\.json")
STATUS = ("pending", "in_progress", "completed")
KEYS = ("id", "subject", "description", "status", "blockedBy", "blocks", "owner", "activeForm", "priority",
        "parent", "labels", "notes", "hold", "checks", "accept", "evidence", "metadata",
        "createdAt", "updatedAt", "startedAt", "completedAt")
LARGEST_FILE = 1 << 20
LARGEST_ID = 2**52
COUNTED = 2**51  # ids above are not counted on from


class Refused(Exception):
    """What was asked for cannot be done; nothing was written."""


class Damage(Exception):
    """A file cannot be read as a task."""


# ---- one file ---------------------------------------------------------------


def as_id(value):
    """12 or "12"."""
    if isinstance(value, str) and re.fullmatch("[1-9][0-9]*", value):
        value = int(value)
    if type(value) is not int or not 1 <= value <= LARGEST_ID:
        raise Damage("%r is no id" % (value,))
    return value


def parse(text, id):
    """Makes a task of a file's bytes, or raises Damage."""
    if len(text) > LARGEST_FILE:
        raise Damage("the file is too large")
    outermost = []

    def object_of(pairs):
        outermost[:] = [key for key, _ in pairs if key in KEYS]  # it is the last one to end
        return dict(pairs)

    try:
        task = json.loads(text.decode("utf-8-sig"), object_pairs_hook=object_of)
    except (ValueError, RecursionError) as err:
        raise Damage("no JSON: %s" % err) from None
    if not isinstance(task, dict):
        raise Damage("no object")
    if len(outermost) != len(set(outermost)):
        raise Damage("a key stands there twice")
    if as_id(task.get("id")) != id:
        raise Damage("the task inside is %r" % task["id"])
    if task.get("status") not in STATUS + (None,):
        raise Damage("there is no status %r" % (task["status"],))
    for key in ("subject", "description", "owner"):
        if not isinstance(task.get(key), (str, type(None))):
            raise Damage("%s is no text" % key)
    for key in ("blockedBy", "blocks"):
        ids(task, key)
    return task


def ids(task, key):
    value = task.get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        raise Damage("%s is no list" % key)
    return list(dict.fromkeys(as_id(v) for v in value))


def layout(task):
    text = json.dumps(task, indent=2, ensure_ascii=False) + "\n"
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:  # half of a surrogate pair
        return (json.dumps(task, indent=2) + "\n").encode("utf-8")


def now():
    moment = datetime.datetime.now(datetime.timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (moment.microsecond // 1000)


def status(task):
    return task.get("status") or "pending"


def is_open(task):
    return status(task) != "completed"


def owner(task):
    return task.get("owner") or ""


def is_held(task):
    return isinstance(task.get("hold"), (str, dict))


# ---- a board, as it was read ------------------------------------------------


class View:
    """All tasks at one moment, and what follows from them."""

    def __init__(self, tasks, damaged):
        self.tasks = tasks  # id -> the object of the file
        self.damaged = damaged  # id -> why
        # Recorded edges, both ways: those of completed tasks too.
        self.waits = {id: set(ids(t, "blockedBy")) for id, t in tasks.items()}
        for id, t in tasks.items():
            for waiter in ids(t, "blocks"):
                if waiter in self.waits:
                    self.waits[waiter].add(id)
        self.children = {id: set() for id in tasks}
        for id in tasks:
            if self.parent(id):
                self.children[self.parent(id)].add(id)

    def parent(self, id):
        try:
            parent = as_id(self.tasks[id].get("parent"))
        except Damage:
            return None
        return parent if parent in self.tasks else None

    def blockers(self, id):
        """What keeps a task from being worked on. Of an id without a readable
        file nobody knows that it was finished."""
        if not is_open(self.tasks[id]):
            return set()
        return {b for b in self.waits[id] if b not in self.tasks or is_open(self.tasks[b])}

    def open_children(self, id):
        return {c for c in self.children[id] if is_open(self.tasks[c])}

    def ready(self, name=""):
        found = []
        for id, t in self.tasks.items():
            if status(t) == "pending" and not is_held(t) and owner(t) in ("", name):
                if not self.blockers(id) and not self.open_children(id):
                    found.append(id)
        urgency, height = self.ranks()
        return sorted(found, key=lambda id: (-urgency[id], -height[id], id))

    def ranks(self):
        """How urgent each open task is, and how long the longest chain of open
        tasks is that wait for it."""
        waiters = {id: set() for id, t in self.tasks.items() if is_open(t)}
        for id in waiters:
            for b in self.blockers(id) | self.open_children(id):
                if b in waiters:
                    waiters[b].add(id)
        level = {"high": 1, "low": -1}
        urgency = {id: level.get(str(self.tasks[id].get("priority")).lower(), 0) for id in waiters}
        height = dict.fromkeys(waiters, 0)
        # From those that nobody waits for towards what they wait for. The
        # members of a circle are never ready, and are left where they are.
        left = {id: len(waiters[id]) for id in waiters}
        todo = [id for id, n in left.items() if n == 0]
        while todo:
            id = todo.pop()
            for b in (self.blockers(id) | self.open_children(id)) & left.keys():
                urgency[b] = max(urgency[b], urgency[id])
                height[b] = max(height[b], height[id] + 1)
                left[b] -= 1
                if left[b] == 0:
                    todo.append(b)
        return urgency, height

    def leads_to(self, start, goal):
        """Whether start waits for goal, through others too."""
        seen, todo = {start}, [start]
        while todo:
            id = todo.pop()
            if id == goal:
                return True
            for other in self.waits.get(id, set()) | self.children.get(id, set()):
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
        return False

    def get(self, id):
        if id in self.damaged:
            raise Refused("the file of #%d cannot be read: %s" % (id, self.damaged[id]))
        if id not in self.tasks:
            raise Refused("task #%d does not exist" % id)
        return self.tasks[id]


# ---- a board in a folder ----------------------------------------------------


class Board:
    def __init__(self, folder):
        self.folder = folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def file(self, id):
        return self.path("task_%d.json" % id)

    @contextlib.contextmanager
    def lock(self, how):
        os.makedirs(self.folder, exist_ok=True)
        path = self.path(".lock")
        while True:
            fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                fcntl.flock(fd, how)
                if self.is_at(fd, path):
                    yield
                    return
            finally:
                os.close(fd)  # which lets go of the lock

    @staticmethod
    def is_at(fd, path):
        try:
            return os.path.samestat(os.fstat(fd), os.stat(path))
        except FileNotFoundError:
            return False

    def read(self):
        tasks, damaged = {}, {}
        names = os.listdir(self.folder) if os.path.isdir(self.folder) else []
        for name in names:
            match = NAME.fullmatch(name)
            if not match or int(match[1]) > LARGEST_ID:
                continue
            id = int(match[1])
            for attempt in range(3):
                try:
                    with open(self.path(name), "rb") as f:
                        tasks[id] = parse(f.read(LARGEST_FILE + 1), id)
                    damaged.pop(id, None)
                    break
                except FileNotFoundError:
                    break
                except (Damage, OSError) as err:
                    damaged[id] = str(err)
                    time.sleep(0.003)  # somebody may be writing it in place
        return View(dict(sorted(tasks.items())), damaged)

    def look(self):
        with self.lock(fcntl.LOCK_SH):
            return self.read()

    @contextlib.contextmanager
    def change(self):
        with self.lock(fcntl.LOCK_EX):
            yield self.read()

    def save(self, task, new=False):
        task["updatedAt"] = now()
        text = layout(task)
        if len(text) > LARGEST_FILE:
            raise Refused("the task would be larger than 1 MiB")
        part = self.path(".task_%d.json.%d" % (task["id"], os.getpid()))
        try:
            with open(part, "wb") as f:
                f.write(text)
                f.flush()
                os.fsync(f.fileno())
            if new:
                os.link(part, self.file(task["id"]))  # fails when there is one
                os.unlink(part)
            else:
                os.rename(part, self.file(task["id"]))
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(part)
            raise

    def next_id(self, view):
        named = [0, *view.tasks, *view.damaged]
        for t in view.tasks.values():
            named += ids(t, "blockedBy") + ids(t, "blocks")
            with contextlib.suppress(Damage):
                named.append(as_id(t.get("parent")))
            with contextlib.suppress(Damage):
                named += ids(t, "was")
        with contextlib.suppress(FileNotFoundError, ValueError):
            with open(self.path(".highwatermark")) as f:
                named.append(int(f.read()))
        id = max(n for n in named if n <= COUNTED) + 1
        while id in named:
            id += 1
        return id

    # -- changes --

    def add(self, fields):
        with self.change() as view:
            subject = fields.get("subject", "").strip()
            if not subject or "\n" in subject or len(subject) > 500:
                raise Refused("a subject is one line of 1 to 500 characters")
            blockers = [as_id(b) for b in fields.get("blockedBy") or []]
            for b in blockers:
                view.get(b)
            if fields.get("parent") and not is_open(view.get(fields["parent"])):
                raise Refused("the parent is completed")
            if fields.get("parent") and any(view.leads_to(b, fields["parent"]) for b in blockers):
                raise Refused("this would close a circle")
            id = self.next_id(view)
            task = {
                "id": id, "subject": subject, "description": fields.get("description", ""), "status": "pending",
                "blockedBy": [b for b in blockers if is_open(view.tasks[b])], "blocks": [], "owner": fields.get("owner", ""),
            }
            task.update((k, v) for k, v in fields.items() if k not in task)
            task["createdAt"] = now()
            self.save(task, new=True)
            for b in blockers:
                self.list_id(view.tasks[b], "blocks", id)
            return {"id": id}

    def list_id(self, task, key, id):
        if id not in ids(task, key):
            task[key] = ids(task, key) + [id]
            self.save(task)

    def drop_id(self, task, key, id):
        if id in ids(task, key):
            task[key] = [other for other in ids(task, key) if other != id]
            self.save(task)

    def start(self, id, name):
        with self.change() as view:
            task = view.get(id)
            if status(task) == "in_progress" and owner(task) == name:
                return {}
            if status(task) == "completed" or owner(task) not in ("", name) or is_held(task) or view.blockers(id):
                raise Refused("#%d cannot be started by %s" % (id, name))
            task.update(status="in_progress", owner=name, startedAt=now())
            self.save(task)
            return {}

    def done(self, id, name):
        with self.change() as view:
            task = view.get(id)
            if not is_open(task):
                return {"ready": []}
            if view.blockers(id) or view.open_children(id):
                raise Refused("#%d waits" % id)
            if status(task) == "pending" and is_held(task):
                raise Refused("#%d is on hold" % id)
            if task.get("checks") or task.get("accept"):
                raise Refused("#%d has checks or criteria: complete it with pawl done" % id)
            self.refuse_others(task, name)
            before = set(view.ready(name))
            task.update(status="completed", blockedBy=[], completedAt=now())
            task.pop("hold", None)
            self.save(task)
            for other in view.tasks.values():
                self.drop_id(other, "blockedBy", id)
            after = View(view.tasks, view.damaged)
            return {"ready": [r for r in after.ready(name) if r not in before]}

    def refuse_others(self, task, name):
        if status(task) == "in_progress" and owner(task) not in ("", name):
            raise Refused("#%d is in progress under another name" % task["id"])

    def release(self, id, name):
        with self.change() as view:
            task = view.get(id)
            if not is_open(task):
                raise Refused("#%d is completed" % id)
            self.refuse_others(task, name)
            task.update(status="pending", owner="")
            task.pop("startedAt", None)
            self.save(task)
            return {}

    def reopen(self, id):
        with self.change() as view:
            task = view.get(id)
            if is_open(task):
                return {}
            parent = view.parent(id)
            if parent and not is_open(view.tasks[parent]):
                raise Refused("the parent is completed")
            task.update(status="pending", owner="")
            task.pop("startedAt", None)
            task.pop("completedAt", None)
            task["blockedBy"] = [b for b, t in view.tasks.items() if is_open(t) and id in ids(t, "blocks") and b != id]
            self.save(task)
            for waiter in ids(task, "blocks"):
                if waiter in view.tasks and is_open(view.tasks[waiter]):
                    self.list_id(view.tasks[waiter], "blockedBy", id)
            return {}

    def block(self, id, by):
        with self.change() as view:
            task, blocker = view.get(id), view.get(by)
            if view.leads_to(by, id):
                raise Refused("this would close a circle")
            if is_open(task) and is_open(blocker):
                self.list_id(task, "blockedBy", by)
            self.list_id(blocker, "blocks", id)
            return {}

    def unblock(self, id, by):
        with self.change() as view:
            self.drop_id(view.get(id), "blockedBy", by)
            if by in view.tasks:  # the edge to one that is missing ends, too
                self.drop_id(view.tasks[by], "blocks", id)
            return {}

    def set(self, id, fields):
        """Sets keys that no rule is about."""
        with self.change() as view:
            task = view.get(id)
            if fields.keys() & {"id", "status", "blockedBy", "blocks", "owner", "parent"}:
                raise Refused("these keys have commands of their own")
            task.update(fields)
            self.save(task)
            return {}

    def delete(self, id, name):
        with self.change() as view:
            self.refuse_others(view.get(id), name)
            if self.next_id(view) == id + 1:
                part = self.path(".highwatermark.%d" % os.getpid())
                with open(part, "w") as f:
                    f.write("%d\n" % id)
                os.rename(part, self.path(".highwatermark"))
            os.unlink(self.file(id))
            del view.tasks[id]
            for other in view.tasks.values():
                self.drop_id(other, "blockedBy", id)
                self.drop_id(other, "blocks", id)
                if str(other.get("parent")) == str(id):
                    del other["parent"]
                    self.save(other)
            return {}


# ---- commands ---------------------------------------------------------------


def run(board, verb, *args):
    name = args[-1] if len(args) == 2 and args[0] == "--as" else ""
    if verb == "list":
        view = board.look()
        tasks = [dict(t, blockedBy=sorted(view.blockers(id)), ready=id in view.ready(name)) for id, t in view.tasks.items()]
        return {"tasks": tasks, "damaged": view.damaged}
    if verb == "ready":
        return {"ready": board.look().ready(name)}
    if verb == "next":
        return {"next": next(iter(board.look().ready(name)), None)}
    if verb == "add":
        return board.add(fields(args[0]))
    if verb in ("start", "done", "release", "delete"):
        return getattr(board, verb)(int(args[0]), args[1])
    if verb == "reopen":
        return board.reopen(int(args[0]))
    if verb in ("block", "unblock"):
        return getattr(board, verb)(int(args[0]), int(args[1]))
    if verb == "set":
        return board.set(int(args[0]), fields(args[1]))
    raise Refused("there is no command %r" % verb)


def fields(text):
    return json.loads(text) if isinstance(text, str) else text


def answer(board, words):
    try:
        return run(board, *words)
    except Refused as why:
        return {"refused": str(why)}


def main(argv):
    if len(argv) < 3:
        sys.exit(__doc__)
    board = Board(argv[1])
    commands = [argv[2:]] if argv[2] != "-" else (json.loads(line) for line in sys.stdin)
    for words in commands:
        print(json.dumps(answer(board, words)), flush=True)


if __name__ == "__main__":
    main(sys.argv)
