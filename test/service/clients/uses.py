"""Uses the methods of the client that send more than fields, and prints what a test expects of the answers as JSON."""

import json
import os
import urllib.request

import mien

client = mien.Client(os.environ["MIEN_URL"], os.environ["MIEN_TOKEN"])
PHOTO = "sample1.jpg"


def code_of(call):
    try:
        call()
    except mien.MienError as error:
        return error.code
    return "no refusal"


told = {}
told["fetched"] = len(client.detect(os.environ["PHOTO_URL"])["faces"])
client.galleries.create("staff", retention_days=30)
with open("sample3.jpg", "rb") as file:
    [ann] = client.faces.enrol(file, meta="Ann/1", galleries=["staff"], idempotency_key="Ann")
[again] = client.faces.enrol("sample3.jpg", meta="Ann/1", galleries=["staff"], idempotency_key="Ann")
told["enrolled"] = [ann["meta"], ann["galleries"], ann["photo"], again["id"] == ann["id"]]
client.faces.update(ann["id"], person_id=77)
told["person"] = client.verify_person("sample3.jpg", 77, threshold="medium")["verified"]
[bob] = client.faces.enrol(PHOTO, meta="Bob")
lists = (dict(page_size=1), dict(gallery="staff"), dict(meta="Ann/1"), dict(meta="Ann/1", gallery="staff"), dict(meta="x"), dict(meta="Bob", start="2020-01-01", page_size=1))
told["listed"] = [[face["meta"] for face in client.faces.list(**filter)] for filter in lists]
with urllib.request.urlopen(bob["thumbnail"]) as link:
    PICTURE = link.read()
client.faces.delete_with_meta("Ann/1", gallery="staff")
client.faces.enrol(PHOTO, mf_selector="all")
told["missing"] = [code_of(lambda: client.faces.get(ann["id"])), len(list(client.faces.list())) - 1]

id = client.cameras.create(meta="door")["id"]
told["leased"] = [
    client.cameras.lease(id, watcher="hall", fps=5),
    code_of(lambda: client.cameras.picture(id)),
    client.cameras.lease(id, PICTURE, watcher="hall"),
    client.cameras.picture(id) == PICTURE,
    code_of(lambda: client.cameras.lease(id, watcher="door")),
]
print(json.dumps(told))
