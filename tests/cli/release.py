#!/usr/bin/env python3
"""What a release says about itself: the bill of materials, the provenance, the notices and the checksums, made of invented
parts; and the commits that `make release` refuses. Nothing is built."""
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PACKAGING = TOP + "/assets/packaging/"
COMMIT, EPOCH = "0123456789abcdef0123456789abcdef01234567", 1000000000
PARTS = {"system": "Debian 11.11", "tools": {"gcc-10": "10.2.1-6", "make": "4.3-4.1"}, "parts": [
    {"name": "one", "version": "1.2", "licence": "BSD-3-Clause", "source": "libone", "text": "the words of one",
     "archives": [{"file": "libone_1.2.orig.tar.xz", "sha256": "1" * 64}]},
    {"name": "two and three", "version": "1:2~rc+3", "licence": "GPL-3.0-or-later WITH GCC-exception-3.1", "source": "two", "text": "the words of two",
     "archives": [{"file": "two_2.orig.tar.gz", "sha256": "2" * 64}, {"file": "two_2-1.debian.tar.xz", "sha256": "3" * 64}]}]}


def report(what, ok, why=""):
    print(("ok " if ok else "FAIL ") + what + ("" if ok else ": " + str(why)[:800]), flush=True)


def run(*words, cwd=TOP, **env):
    kept = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "RELEASE_KEY", "B", "BIN")}
    p = subprocess.run(words, cwd=cwd, env={**kept, **env}, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return p.returncode, p.stdout, p.stderr


def digest(path, algorithm):
    with open(path, "rb") as f:
        return hashlib.new(algorithm, f.read()).hexdigest()


# ---- SPDX 2.3: its required fields
DOCUMENT = {"spdxVersion", "dataLicense", "SPDXID", "name", "documentNamespace", "creationInfo", "packages", "files", "relationships"}
PACKAGE = {"name", "SPDXID", "versionInfo", "downloadLocation", "filesAnalyzed", "licenseConcluded", "licenseDeclared", "copyrightText"}
FILE = {"fileName", "SPDXID", "checksums", "licenseConcluded", "licenseInfoInFiles", "copyrightText"}


def check_bill(parts, folder):
    words = (PACKAGING + "sbom", parts, folder, "9.8.7", COMMIT, str(EPOCH))
    status, text, why = run(*words)
    report("SBOM: written", status == 0, why)
    report("SBOM: the same bytes again", run(*words)[1] == text)
    doc = json.loads(text)
    report("SBOM: a document of SPDX 2.3", DOCUMENT <= set(doc) and (doc["spdxVersion"], doc["dataLicense"], doc["SPDXID"]) ==
           ("SPDX-2.3", "CC0-1.0", "SPDXRef-DOCUMENT"), sorted(doc))
    report("SBOM: created when the commit was", doc["creationInfo"]["created"] == "2001-09-09T01:46:40Z" and
           all(re.match("(Tool|Organization|Person): ", c) for c in doc["creationInfo"]["creators"]), doc["creationInfo"])
    report("SBOM: a namespace of this commit", COMMIT in doc["documentNamespace"] and "#" not in doc["documentNamespace"])
    elements = [doc] + doc["packages"] + doc["files"]
    names = [e["SPDXID"] for e in elements]
    report("SBOM: identifiers", all(re.match(r"SPDXRef-[A-Za-z0-9.-]+$", n) for n in names) and len(set(names)) == len(names), names)
    report("SBOM: packages have what SPDX asks for", all(PACKAGE <= set(p) for p in doc["packages"]) and len(doc["packages"]) == 3)
    report("SBOM: files too", all(FILE <= set(f) for f in doc["files"]))
    sums = {f["fileName"]: {c["algorithm"]: c["checksumValue"] for c in f["checksums"]} for f in doc["files"]}
    want = {"./" + os.path.relpath(os.path.join(d, f), folder): {"SHA1": digest(os.path.join(d, f), "sha1"), "SHA256": digest(os.path.join(d, f), "sha256")}
            for d, _, fs in os.walk(folder) for f in fs}
    report("SBOM: checksums of every file", sums == want and len(sums) == 3, sums)
    code = hashlib.sha1("".join(sorted(s["SHA1"] for s in want.values())).encode()).hexdigest()
    whole = next(p for p in doc["packages"] if p["name"] == "tracetty")
    report("SBOM: the verification code of the package", whole["packageVerificationCode"]["packageVerificationCodeValue"] == code, whole)
    report("SBOM: the version and the commit", whole["versionInfo"] == "9.8.7" and COMMIT in whole["sourceInfo"], whole)
    report("SBOM: archives of the libraries", [(p["packageFileName"], p["checksums"][0]["checksumValue"]) for p in doc["packages"][1:]] ==
           [("libone_1.2.orig.tar.xz", "1" * 64), ("two_2.orig.tar.gz", "2" * 64)] and "3" * 64 in doc["packages"][2]["sourceInfo"])
    relations = {(r["spdxElementId"], r["relationshipType"], r["relatedSpdxElement"]) for r in doc["relationships"]}
    program = next(f["SPDXID"] for f in doc["files"] if f["fileName"] == "./tracetty")
    report("SBOM: the program contains the libraries", relations == {("SPDXRef-DOCUMENT", "DESCRIBES", whole["SPDXID"])} |
           {(whole["SPDXID"], "CONTAINS", f["SPDXID"]) for f in doc["files"]} | {(program, "STATIC_LINK", p["SPDXID"]) for p in doc["packages"][1:]}, relations)


def check_provenance(parts, folder):
    words = (PACKAGING + "provenance", parts, "9.8.7", COMMIT, str(EPOCH), folder + "/tracetty", folder + "/LICENSE")
    status, text, why = run(*words)
    report("provenance: written", status == 0, why)
    doc = json.loads(text)
    report("provenance: a statement of SLSA v1", (doc["_type"], doc["predicateType"]) == ("https://in-toto.io/Statement/v1", "https://slsa.dev/provenance/v1"))
    report("provenance: digests of the files", doc["subject"] == [{"name": n, "digest": {"sha256": digest(folder + "/" + n, "sha256")}} for n in ("LICENSE", "tracetty")],
           doc["subject"])
    made = doc["predicate"]["buildDefinition"]
    report("provenance: the command", made["externalParameters"] == {"command": "make release", "version": "9.8.7"} and made["buildType"], made)
    found = {(m["uri"].split("#")[0], *m.get("digest", {}).values()) for m in made["resolvedDependencies"]}
    report("provenance: the commit, archives and tools", {("pkg:deb/debian/two@1:2~rc+3?arch=source", "3" * 64), ("pkg:deb/debian/gcc-10@10.2.1-6",)} <= found and
           {"gitCommit": COMMIT} in [m.get("digest") for m in made["resolvedDependencies"]], found)
    if shutil.which("dpkg-query") and os.path.exists("/usr/share/doc/zlib1g-dev"):
        report("provenance: packages of this system", [u for u, *_ in found if re.match(r"pkg:deb/debian/zlib1g-dev@\d", u)], found)
    else:
        print("skip provenance: packages of this system: no Debian, or no zlib1g-dev")
    report("provenance: the builder", doc["predicate"]["runDetails"]["builder"]["id"].endswith("assets/packaging/release") and
           "Debian 11.11" in str(doc["predicate"]["runDetails"]))
    report("provenance: nothing of this machine", not [w for w in (os.uname().nodename, TOP, folder) if w in text and len(w) > 3])


def check_notices(parts):
    status, text, why = run(PACKAGING + "notices", parts)
    report("notices: name, version, licence and text of each", status == 0 and all(w in text for p in PARTS["parts"] for w in
           (p["name"], p["version"], p["licence"], p["text"])), why or text)


def check_sums(folder, tmp):
    home = {"HOME": tmp, "GNUPGHOME": tmp + "/keys", "GIT_CONFIG_GLOBAL": os.devnull}
    status, out, why = run(PACKAGING + "sums", folder, **home)
    report("checksums: without a key, said", status == 0 and "is not signed: RELEASE_KEY=ID" in out, (out, why))
    with open(folder + "/SHA256SUMS", encoding="utf-8") as f:
        lines = f.read().splitlines()
    report("checksums: every file in order", lines == ["%s  %s" % (digest(folder + "/" + n, "sha256"), n) for n in sorted(("tracetty", "LICENSE", "THIRD-PARTY-NOTICES"))],
           lines)
    if shutil.which("gpg") is None:
        print("skip signature: no gpg")
        return
    os.mkdir(tmp + "/keys", 0o700)
    made = run("gpg", "--batch", "--passphrase", "", "--quick-generate-key", "maintainer@tracetty.invalid", "ed25519", "sign", "never", **home)
    if made[0]:
        print("skip signature: gpg makes no key: " + made[2].splitlines()[-1])
        return
    status, out, why = run(PACKAGING + "sums", folder, RELEASE_KEY="maintainer@tracetty.invalid", **home)
    checked = run("gpg", "--verify", folder + "/SHA256SUMS.asc", folder + "/SHA256SUMS", **home)
    report("checksums: signed by RELEASE_KEY", status == 0 and checked[0] == 0 and "Good signature" in checked[2], (why, checked[2]))
    report("checksums: of the files alone", "SHA256SUMS" not in open(folder + "/SHA256SUMS", encoding="utf-8").read())
    status, out, why = run(PACKAGING + "sums", folder, RELEASE_KEY="stranger@tracetty.invalid", **home)
    report("checksums: a key that is not there", status == 1 and "gpg cannot sign with the key stranger@" in why, (status, why))
    run("gpgconf", "--kill", "all", **home)


def check_refused(tmp):
    """`make release` in small repositories."""
    repository = tmp + "/repository"
    os.makedirs(repository + "/assets/doc")
    os.makedirs(repository + "/tui/commands")
    shutil.copytree(TOP + "/assets/packaging", repository + "/assets/packaging")
    shutil.copy(TOP + "/Makefile", repository)

    def write(path, text):
        with open(os.path.join(repository, path), "w", encoding="utf-8") as f:
            f.write(text)

    def git(*words):
        status, _, why = run("git", "-c", "user.name=tracetty", "-c", "user.email=maintainers@tracetty.invalid", *words, cwd=repository,
                             GIT_CONFIG_GLOBAL=os.devnull)
        assert status == 0, why

    def release():
        status, out, why = run("make", "-s", "release", "ROOT=" + tmp + "/no-root", cwd=repository)
        return status, out + why
    with open(TOP + "/Makefile", encoding="utf-8") as f:
        version = re.search(r"^VERSION *:= *(.*)$", f.read(), re.M).group(1)
    write("assets/doc/CHANGELOG.md", "# Changes\n\n## 0.0.1\n\n- older\n")
    write("tui/commands/samples.def", 'X("gpu", "training", "sample_nowhere", NULL)\n')
    git("init", "-q")
    git("add", "-A")
    git("commit", "-q", "-m", "First")
    write("README.md", "new\n")
    status, said = release()
    report("release: files outside the commit are refused, by name", status != 0 and "files differ from the commit" in said and "README.md" in said, said)
    git("add", "-A")
    git("commit", "-q", "-m", "Second")
    write("README.md", "changed\n")
    status, said = release()
    report("release: changed files too", status != 0 and "files differ from the commit" in said and "README.md" in said, said)
    git("commit", "-q", "-a", "-m", "Third")
    status, said = release()
    report("release: a version without a changelog", status != 0 and "newest section of assets/doc/CHANGELOG.md is 0.0.1, VERSION in the Makefile is %s" % version in said, said)
    write("assets/doc/CHANGELOG.md", "# Changes\n\n## %s\n\n- new\n" % version)
    git("commit", "-q", "-a", "-m", "Fourth")
    status, said = release()
    report("release: a sample that is not there", status != 0 and "there is no assets/sample_nowhere" in said, said)
    report("release: nothing was begun", not os.path.exists(tmp + "/no-root") and not os.path.exists(repository + "/build"))


def main(tmp):
    parts, folder = tmp + "/parts.json", tmp + "/tracetty-9.8.7-linux-x86_64"
    with open(parts, "w", encoding="utf-8") as f:
        json.dump(PARTS, f)
    os.mkdir(folder)
    for name, text in (("tracetty", "program"), ("LICENSE", "licence"), ("THIRD-PARTY-NOTICES", "notices")):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write(text)
    check_bill(parts, folder)
    check_provenance(parts, folder)
    check_notices(parts)
    check_sums(folder, tmp)
    if shutil.which("git"):
        check_refused(tmp)
    else:
        print("skip refused releases: no git")


with tempfile.TemporaryDirectory() as temporary:
    main(os.path.realpath(temporary))
