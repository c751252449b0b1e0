"""Calls each method of the client, and prints what a test expects of the answers as JSON."""

import itertools
import json
import os
import urllib.request

import mien

client = mien.Client(os.environ["MIEN_URL"], os.environ["MIEN_TOKEN"])
PHOTO = "sample1.jpg"
box = {"x1": 1467, "y1": 227, "x2": 1675, "y2": 428}


def code_of(call):
    try:
        call()
    except mien.MienError as error:
        return error.code
    return "no refusal"


told = {}
told["detected"] = len(client.detect(PHOTO, quality=True)["faces"])
told["fetched"] = len(client.detect(os.environ["PHOTO_URL"])["faces"])
told["verified"] = client.verify(PHOTO, "sample3.jpg", bbox1=[box], threshold="medium")["verified"]

told["created"] = client.galleries.create("staff", retention_days=30)
told["exists"] = code_of(lambda: client.galleries.create("staff"))
told["changed"] = client.galleries.update("staff", retention_days=7)["retention_days"]
told["gallery"] = client.galleries.get("staff")["name"]
client.galleries.create("guests")
client.galleries.delete("guests")
told["galleries"] = client.galleries.list()

with open("sample3.jpg", "rb") as file:
    [ann] = client.faces.enrol(file, meta="Ann/1", galleries=["staff"], idempotency_key="Ann")
[again] = client.faces.enrol("sample3.jpg", meta="Ann/1", galleries=["staff"], idempotency_key="Ann")
told["enrolled"] = [ann["meta"], ann["galleries"], ann["photo"], again["id"] == ann["id"]]
told["identified"] = [
    mien.box_of(key)
    for gallery in (None, "staff")
    for key, matches in client.identify(PHOTO, gallery=gallery, mf_selector="all", threshold="medium")["results"].items()
    if matches
]
told["counts"] = [[one["name"], one["faces"], one["vectors"]] for one in client.galleries.statistics()]
[bob] = client.faces.enrol(PHOTO, meta="Bob")
lists = (dict(page_size=1), dict(gallery="staff"), dict(meta="Ann/1"), dict(meta="Ann/1", gallery="staff"), dict(meta="x"), dict(meta="Bob", start="2020-01-01", page_size=1))
told["listed"] = [[face["meta"] for face in client.faces.list(**filter)] for filter in lists]
told["metas"] = [[entry["meta"], entry["count"]] for entry in client.metas.list(gallery="staff", page_size=1)]
with urllib.request.urlopen(bob["thumbnail"]) as link:
    PICTURE = link.read()
client.faces.update(bob["id"], meta="Rob", galleries={"add": ["staff"]})
told["updated"] = [client.faces.get(bob["id"])[field] for field in ("meta", "galleries")]
client.faces.delete(bob["id"])
client.faces.delete_with_meta("Ann/1", gallery="staff")
told["missing"] = [code_of(lambda: client.faces.get(face["id"])) for face in (ann, bob)]

camera = client.cameras.create(meta="door", roi=[640, 480, 0, 0])
told["camera"] = [client.cameras.get(camera["id"])["roi"], client.cameras.update(camera["id"], enabled=False).get("roi")]
leased = [client.cameras.lease(camera["id"], watcher="hall", fps=5), code_of(lambda: client.cameras.picture(camera["id"]))]
leased += [client.cameras.lease(camera["id"], PICTURE, watcher="hall"), client.cameras.picture(camera["id"]) == PICTURE]
leased += [client.cameras.state(camera["id"])["watcher"], code_of(lambda: client.cameras.lease(camera["id"], watcher="door"))]
client.cameras.release(camera["id"], "hall")
told["leased"] = [*leased, client.cameras.state(camera["id"])["live"]]
told["cameras"] = [listed["enabled"] for listed in client.cameras.list()]
rule = client.alerts.create(url="http://127.0.0.1:9/", enabled=False, person_ids=[7])
tests = [client.alerts.test(rule["id"])["id"] for _ in range(2)]
told["alerts"] = [
    client.alerts.get(rule["id"])["person_ids"],
    client.alerts.update(rule["id"], url=rule["url"], enabled=False, name="door").get("person_ids"),
    client.alerts.rotate_secret(rule["id"])["secret"] != rule["secret"],
    [listed["name"] for listed in client.alerts.list()],
    [one["id"] for one in client.alerts.deliveries(rule["id"], limit=1, state="pending")] == tests[::-1],
    code_of(lambda: client.alerts.retry(rule["id"], tests[0])),
]
client.alerts.delete(rule["id"])
[first] = client.faces.enrol(PHOTO, cam_id=camera["id"], timestamp="2026-01-02T00:00:00")
[second] = client.faces.enrol(PHOTO, cam_id=camera["id"], timestamp="2026-01-03T00:00:00")
searches = (dict(page_size=1), dict(end="2026-01-02T12:00:00"), dict(cam_ids=[camera["id"]], friend=True))
told["events"] = [len(list(client.history.search(**filter))) for filter in searches]
client.faces.update(first["id"], person_id=77)
told["person"] = [client.persons.get(77)["id"], [person["id"] for person in client.persons.list()].count(77)]
told["history"] = [event["face_id"] == first["id"] for event in client.persons.history(77, cam_ids=[camera["id"]])]
client.faces.update(second["id"], person_id=78)
told["suggested"] = [[person["id"] for person in pair["persons"]] for pair in client.persons.suggestions(threshold="strict", limit=1)]
told["renamed"] = client.persons.update(77, meta="Ann", faces=True)
told["summaries"] = [[person["id"], person["count"]] for person in client.persons.summaries(meta="Ann", page_size=1)]
told["merged"] = [client.persons.merge(77, [78])["count"], client.persons.summary(77)["latest"]["face_id"] == second["id"]]
told["split"] = client.persons.split(77, [second["id"]], meta="Ben")["face"]["id"] == second["id"]
client.persons.delete(77)
client.cameras.delete(camera["id"])
told["left"] = [[face["id"] == second["id"] for face in client.faces.list()], client.cameras.list()]
try:
    client.faces.enrol(PHOTO, mf_selector="reject")
except mien.MienError as error:
    told["rejected"] = [error.status, error.code, box in error.faces, bool(error.request_id)]

operator = mien.Client(os.environ["MIEN_URL"], client.tokens.create(scope="admin", name="operator")["token"])
told["token"] = [operator.tokens.current()[field] for field in ("name", "scope", "owner")]
made = operator.tokens.create(scope="read", name="door", expires="2090-01-31", rate=5)
rotated = operator.tokens.rotate(made["id"], grace_hours=1)
operator.tokens.revoke(rotated["id"])
told["tokens"] = {token["name"]: token["valid"] for token in operator.tokens.list() if token["id"] != made["id"]}
told["audit"] = [entry["action"] for entry in itertools.islice(operator.service.audit_log(page_size=1), 3)]
told["verified"] = [told["verified"], operator.service.verify_audit_log()["intact"]]
told["settings"] = operator.service.change_settings(reset=[]) == operator.service.settings()
told["grouping"] = [operator.persons.group("stop") == operator.persons.grouping(), operator.persons.preview_grouping()["joining"]]
told["shards"] = operator.service.get()["shards"]
print(json.dumps(told))
