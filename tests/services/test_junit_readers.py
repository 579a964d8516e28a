"""xml2js, which reads JUnit files for many actions, reads ours with hostile words in it: `make test-services`."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from xml.etree.ElementTree import tostring

import pytest

from raggate_action.report.junit_xml import junit_case
from tests.golden.hostile import hostile, repeated
from tests.integration.test_report_formats import MORE, hostile_cases

MODULES = Path(__file__).parents[2] / "build/services"
HAS_XML2JS = shutil.which("node") is not None and (MODULES / "node_modules/xml2js").is_dir()
READ = """let t = ''; process.stdin.on('data', d => t += d).on('end', () =>
    require('xml2js').parseString(t, (e, r) => { if (e) throw e; console.log(JSON.stringify(r)) }))"""


@pytest.mark.skipif(not HAS_XML2JS, reason="XML2JS DID NOT READ IT: `make test-services` installs it")
def test_xml2js_reads_hostile_words_as_words() -> None:
    reporting = hostile(repeated(MORE))
    found = [junit_case(*each, reporting) for each in hostile_cases()]
    cases = "".join(tostring(each, "unicode") for each in found)
    text = f"<testsuites><testsuite name='a'>{cases}</testsuite></testsuites>"
    done = subprocess.run(["node", "-e", READ], input=text.encode(), cwd=MODULES, capture_output=True, check=True)
    read = json.loads(done.stdout)["testsuites"]["testsuite"][0]["testcase"]
    assert len(read) == len(MORE)
    for case in read:
        assert set(case) == {"$", "properties", "failure"}
        assert case["$"]["name"].strip()
        assert case["failure"][0]["_"].startswith(case["failure"][0]["$"]["message"])
