/* SPDX-License-Identifier: MIT */
/* What CI reads, whole: annotations and summaries of GitHub, SARIF, JUnit, and lines of events.
 * Rows run one after the other in one folder. */
#include "support/gate.h"

#include <thalweg/thalweg.h>

static const struct row {
    const char *arguments;
    int code;
    const char *out, *err, *summary;
} rows[] = {
    {"run fine.yaml -q -j 1 --events -", 0,
     "{\"event\":\"start\",\"time\":,\"format\":\"thalweg.events/1\",\"version\":\"" TW_VERSION
     "\",\"command\":\"run\"}\n"
     "{\"event\":\"plan\",\"time\":,\"recipes\":[\"fine.yaml\"],\"nodes\":1,\"exports\":1,"
     "\"seconds\":,\"bytes\":256}\n"
     "{\"event\":\"node-started\",\"time\":,\"node\":\"a\",\"type\":\"source.constant\",\"file\":"
     "\"fine.yaml\"}\n"
     "{\"event\":\"node-done\",\"time\":,\"node\":\"a\",\"type\":\"source.constant\",\"file\":"
     "\"fine.yaml\",\"outcome\":\"computed\",\"seconds\":,\"left\":}\n"
     "{\"event\":\"export\",\"time\":,\"file\":\"out/"
     "a.npy\",\"written\":true,\"bytes\":384,\"sha256\":"
     "\"e9f927bdb6c02c96a2eaa260ec2ffd3bf383ac3a680ea7f5029ca5c7b6088ecf\"}\n"
     "{\"event\":\"end\",\"time\":,\"exit_code\":0,\"status\":\"done\",\"nodes\":1,\"computed\":1,"
     "\"hits\":0,\"exports\":1,\"written\":1,\"seconds\":}\n",
     "1 recipe: 1 export written, 0 unchanged\n", ""},
    {"check fine.yaml --format junit", 0,
     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
     "<testsuites name=\"thalweg\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\" time=\"\">\n"
     "  <testsuite name=\"thalweg check\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\" time=\"\">\n"
     "    <testcase classname=\"fine.yaml\" name=\"recipe\">\n"
     "    </testcase>\n"
     "    <system-err></system-err>\n"
     "  </testsuite>\n"
     "</testsuites>\n",
     "", ""},
    {"check warned.yaml --format junit", 0,
     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
     "<testsuites name=\"thalweg\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\" time=\"\">\n"
     "  <testsuite name=\"thalweg check\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\" time=\"\">\n"
     "    <testcase classname=\"warned.yaml\" name=\"recipe\">\n"
     "    </testcase>\n"
     "    <system-err>warned.yaml:5:3: b: warning: node &#39;b&#39; is not used: no output or export "
     "is made from it\n"
     "</system-err>\n"
     "  </testsuite>\n"
     "</testsuites>\n",
     "warned.yaml:5:3: warning: node 'b' is not used: no output or export is made from it\n"
     "      b: {type: source.constant}\n"
     "      ^\n",
     ""},
    {"check warned.yaml fine.yaml bad.yaml none.yaml --format junit", 3,
     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
     "<testsuites name=\"thalweg\" tests=\"4\" failures=\"0\" errors=\"2\" skipped=\"0\" time=\"\">\n"
     "  <testsuite name=\"thalweg check\" tests=\"4\" failures=\"0\" errors=\"2\" skipped=\"0\" time=\"\">\n"
     "    <testcase classname=\"warned.yaml\" name=\"recipe\">\n"
     "    </testcase>\n"
     "    <testcase classname=\"fine.yaml\" name=\"recipe\">\n"
     "    </testcase>\n"
     "    <testcase classname=\"bad.yaml\" name=\"recipe\">\n"
     "      <error type=\"invalid recipe\" message=\"a recipe has no key "
     "&#39;sede&#39;\">bad.yaml:3:1: a recipe has no key &#39;sede&#39;\n"
     "did you mean &#39;seed&#39;?\n"
     "</error>\n"
     "      <error type=\"invalid recipe\" message=\"there is no node type "
     "&#39;source.constnat&#39;\">bad.yaml:5:13: a: there is no node type &#39;source.constnat&#39;\n"
     "did you mean &#39;source.constant&#39;?\n"
     "</error>\n"
     "      <error type=\"invalid recipe\" message=\"&#39;&lt;b&gt;&#39; is not an id; expected "
     "lower-case letters, digits and _, a letter first, at most 100\">bad.yaml:6:3: "
     "&#39;&lt;b&gt;&#39; is not an id; expected lower-case letters, digits and _, a letter "
     "first, at most 100\n"
     "</error>\n"
     "    </testcase>\n"
     "    <testcase classname=\"none.yaml\" name=\"recipe\">\n"
     "      <error type=\"invalid input file\" message=\"cannot read none.yaml: No such file or "
     "directory\">none.yaml: cannot read none.yaml: No such file or directory\n"
     "</error>\n"
     "    </testcase>\n"
     "    <system-err>warned.yaml:5:3: b: warning: node &#39;b&#39; is not used: no output or export "
     "is made from it\n"
     "</system-err>\n"
     "  </testsuite>\n"
     "</testsuites>\n",
     "warned.yaml:5:3: warning: node 'b' is not used: no output or export is made from it\n"
     "      b: {type: source.constant}\n"
     "      ^\n"
     "bad.yaml:3:1: error: a recipe has no key 'sede'\n"
     "    sede: 3\n"
     "    ^\n"
     "    did you mean 'seed'?\n"
     "bad.yaml:5:13: error: there is no node type 'source.constnat'\n"
     "      a: {type: source.constnat}\n"
     "                ^\n"
     "    did you mean 'source.constant'?\n"
     "bad.yaml:6:3: error: '<b>' is not an id; expected lower-case letters, digits and _, a "
     "letter first, at most 100\n"
     "      '<b>': {type: source.constant}\n"
     "      ^\n"
     "error: cannot read none.yaml: No such file or directory\n",
     ""},
    {"run steps.yaml --format junit -q -j 1", 4,
     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
     "<testsuites name=\"thalweg\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" time=\"\">\n"
     "  <testsuite name=\"thalweg run\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" time=\"\">\n"
     "    <testcase classname=\"steps.yaml\" name=\"recipe\" time=\"\">\n"
     "      <error type=\"a node failed\" message=\"a step of dt 100 is not stable; at this size "
     "and these slopes the largest stable one is 39.06 (or set substeps: auto)\">steps.yaml:5:6: "
     "b: a step of dt 100 is not stable; at this size and these slopes the largest stable one is "
     "39.06 (or set substeps: auto)\n"
     "</error>\n"
     "    </testcase>\n"
     "    <system-err></system-err>\n"
     "  </testsuite>\n"
     "</testsuites>\n",
     "steps.yaml:5:6: error: b: a step of dt 100 is not stable; at this size and these slopes the "
     "largest stable one is 39.06 (or set substeps: auto)\n"
     "      b: {type: erosion.creep, in: m, dt: 100, substeps: one}\n"
     "         ^\n"
     "1 of 1 failed: steps.yaml:5:6 a step of dt 100 is not stable; at this size and these slopes the largest stable one is 39.06 (or set substeps: auto); 0 exports written, 0 unchanged\n",
     ""},
    {"check warned.yaml --format github", 0,
     "warned.yaml: ok; borders: wrap, since every source wraps\n",
     "warned.yaml:5:3: warning: node 'b' is not used: no output or export is made from it\n"
     "      b: {type: source.constant}\n"
     "      ^\n"
     "::warning file=warned.yaml,line=5,col=3,title=thalweg::node 'b' is not used: no output or "
     "export is made from it\n",
     "- **warning** warned\\.yaml:5:3 node 'b' is not used: no output or export is made from it\n"},
    {"check warned.yaml bad.yaml none.yaml --format github", 3,
     "warned.yaml: ok; borders: wrap, since every source wraps\n",
     "warned.yaml:5:3: warning: node 'b' is not used: no output or export is made from it\n"
     "      b: {type: source.constant}\n"
     "      ^\n"
     "::warning file=warned.yaml,line=5,col=3,title=thalweg::node 'b' is not used: no output or "
     "export is made from it\n"
     "bad.yaml:3:1: error: a recipe has no key 'sede'\n"
     "    sede: 3\n"
     "    ^\n"
     "    did you mean 'seed'?\n"
     "::error file=bad.yaml,line=3,col=1,title=thalweg::a recipe has no key 'sede'%0Adid you mean "
     "'seed'?\n"
     "bad.yaml:5:13: error: there is no node type 'source.constnat'\n"
     "      a: {type: source.constnat}\n"
     "                ^\n"
     "    did you mean 'source.constant'?\n"
     "::error file=bad.yaml,line=5,col=13,title=thalweg::there is no node type "
     "'source.constnat'%0Adid you mean 'source.constant'?\n"
     "bad.yaml:6:3: error: '<b>' is not an id; expected lower-case letters, digits and _, a "
     "letter first, at most 100\n"
     "      '<b>': {type: source.constant}\n"
     "      ^\n"
     "::error file=bad.yaml,line=6,col=3,title=thalweg::'<b>' is not an id; expected lower-case "
     "letters, digits and _, a letter first, at most 100\n"
     "error: cannot read none.yaml: No such file or directory\n"
     "::error file=none.yaml,title=thalweg::cannot read none.yaml: No such file or directory\n",
     "- **warning** warned\\.yaml:5:3 node 'b' is not used: no output or export is made from it\n"
     "- **error** bad\\.yaml:3:1 a recipe has no key 'sede' (did you mean 'seed'?)\n"
     "- **error** bad\\.yaml:5:13 there is no node type 'source\\.constnat' (did you mean "
     "'source\\.constant'?)\n"
     "- **error** bad\\.yaml:6:3 '\\<b\\>' is not an id; expected lower\\-case letters, digits "
     "and \\_, a letter first, at most 100\n"
     "- **error** none\\.yaml cannot read none\\.yaml: No such file or directory\n"},
    {"run steps.yaml --format github -q -j 1", 4,
     "1 of 1 failed: steps.yaml:5:6 a step of dt 100 is not stable; at this size and these slopes the largest stable one is 39.06 (or set substeps: auto); 0 exports written, 0 unchanged\n",
     "steps.yaml:5:6: error: b: a step of dt 100 is not stable; at this size and these slopes the "
     "largest stable one is 39.06 (or set substeps: auto)\n"
     "      b: {type: erosion.creep, in: m, dt: 100, substeps: one}\n"
     "         ^\n"
     "::error file=steps.yaml,line=5,col=6,title=thalweg::a step of dt 100 is not stable; at this "
     "size and these slopes the largest stable one is 39.06 (or set substeps: auto)\n",
     "- **error** steps\\.yaml:5:6 a step of dt 100 is not stable; at this size and these slopes "
     "the largest stable one is 39\\.06 \\(or set substeps: auto\\)\n"},
    {"check warned.yaml bad.yaml none.yaml --format sarif", 3,
     "\"invocations\": [{\"executionSuccessful\": false,\"exitCode\": 3}],\"columnKind\": "
     "\"unicodeCodePoints\",\"results\": [{\"ruleId\": \"warning\",\"ruleIndex\": 0,\"level\": "
     "\"warning\",\"message\": {\"text\": \"node 'b' is not used: no output or export is made from "
     "it\"},\"locations\": [{\"physicalLocation\": {\"artifactLocation\": {\"uri\": "
     "\"warned.yaml\"},\"region\": {\"startLine\": 5,\"startColumn\": 3}},\"logicalLocations\": [{\"fullyQualifiedName\": \"b\",\"kind\": \"element\"}]}]},{\"ruleId\": "
     "\"invalid-recipe\",\"ruleIndex\": 3,\"level\": \"error\",\"message\": {\"text\": \"a recipe "
     "has no key 'sede'; did you mean 'seed'?\"},\"locations\": [{\"physicalLocation\": "
     "{\"artifactLocation\": {\"uri\": \"bad.yaml\"},\"region\": {\"startLine\": "
     "3,\"startColumn\": 1}}}]},{\"ruleId\": \"invalid-recipe\",\"ruleIndex\": 3,\"level\": "
     "\"error\",\"message\": {\"text\": \"there is no node type 'source.constnat'; did you mean "
     "'source.constant'?\"},\"locations\": [{\"physicalLocation\": {\"artifactLocation\": "
     "{\"uri\": \"bad.yaml\"},\"region\": {\"startLine\": 5,\"startColumn\": 13}},\"logicalLocations\": [{\"fullyQualifiedName\": \"a\",\"kind\": \"element\"}]}]},{\"ruleId\": "
     "\"invalid-recipe\",\"ruleIndex\": 3,\"level\": \"error\",\"message\": {\"text\": \"'<b>' is "
     "not an id; expected lower-case letters, digits and _, a letter first, at most 100\"},"
     "\"locations\": [{\"physicalLocation\": {\"artifactLocation\": {\"uri\": \"bad.yaml\"},"
     "\"region\": {\"startLine\": 6,\"startColumn\": 3}}}]},{\"ruleId\": "
     "\"invalid-input-file\",\"ruleIndex\": 4,\"level\": \"error\",\"message\": {\"text\": "
     "\"cannot read none.yaml: No such file or directory\"},\"locations\": [{\"physicalLocation\": "
     "{\"artifactLocation\": {\"uri\": \"none.yaml\"}}}]}]}]}",
     "warned.yaml:5:3: warning: node 'b' is not used: no output or export is made from it\n"
     "      b: {type: source.constant}\n"
     "      ^\n"
     "bad.yaml:3:1: error: a recipe has no key 'sede'\n"
     "    sede: 3\n"
     "    ^\n"
     "    did you mean 'seed'?\n"
     "bad.yaml:5:13: error: there is no node type 'source.constnat'\n"
     "      a: {type: source.constnat}\n"
     "                ^\n"
     "    did you mean 'source.constant'?\n"
     "bad.yaml:6:3: error: '<b>' is not an id; expected lower-case letters, digits and _, a "
     "letter first, at most 100\n"
     "      '<b>': {type: source.constant}\n"
     "      ^\n"
     "error: cannot read none.yaml: No such file or directory\n",
     ""},
    {"run steps.yaml --format sarif -q -j 1", 4,
     "\"invocations\": [{\"executionSuccessful\": false,\"exitCode\": 4}],\"columnKind\": "
     "\"unicodeCodePoints\",\"results\": [{\"ruleId\": \"a-node-failed\",\"ruleIndex\": "
     "7,\"level\": \"error\",\"message\": {\"text\": \"a step of dt 100 is not stable; at this "
     "size and these slopes the largest stable one is 39.06 (or set substeps: "
     "auto)\"},\"locations\": [{\"physicalLocation\": {\"artifactLocation\": {\"uri\": "
     "\"steps.yaml\"},\"region\": {\"startLine\": 5,\"startColumn\": 6}},\"logicalLocations\": "
     "[{\"fullyQualifiedName\": \"b\",\"kind\": \"element\"}]}]}]}]}",
     "steps.yaml:5:6: error: b: a step of dt 100 is not stable; at this size and these slopes the "
     "largest stable one is 39.06 (or set substeps: auto)\n"
     "      b: {type: erosion.creep, in: m, dt: 100, substeps: one}\n"
     "         ^\n"
     "1 of 1 failed: steps.yaml:5:6 a step of dt 100 is not stable; at this size and these slopes the largest stable one is 39.06 (or set substeps: auto); 0 exports written, 0 unchanged\n",
     ""},
    {"verify fine.yaml --format github", 3,
     "fine.yaml: not compared: fine.yaml.lock is missing or damaged\n"
     "1 of 1 failed: fine.yaml: cannot read fine.yaml.lock: No such file or directory; 0 as locked, 0 differ\n",
     "error: cannot read fine.yaml.lock: No such file or directory\n"
     "    'thalweg lock fine.yaml' writes one\n"
     "::error file=fine.yaml.lock,title=thalweg::cannot read fine.yaml.lock: No such file or "
     "directory%0A'thalweg lock fine.yaml' writes one\n",
     "- **error** fine\\.yaml\\.lock cannot read fine\\.yaml\\.lock: No such file or directory "
     "('thalweg lock fine\\.yaml' writes one)\n"},
    {"lock fine.yaml other.yaml -q", 0, "2 recipes: 2 locks written, 0 unchanged\n", "", ""},
    {"verify fine.yaml --format junit", 0,
     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
     "<testsuites name=\"thalweg\" tests=\"5\" failures=\"0\" errors=\"0\" skipped=\"0\" time=\"\">\n"
     "  <testsuite name=\"thalweg verify\" tests=\"5\" failures=\"0\" errors=\"0\" skipped=\"0\" time=\"\">\n"
     "    <testcase classname=\"fine.yaml\" name=\"lock\" time=\"\">\n"
     "    </testcase>\n"
     "    <testcase classname=\"fine.yaml\" name=\"recipe\">\n"
     "    </testcase>\n"
     "    <testcase classname=\"fine.yaml\" name=\"output height\">\n"
     "    </testcase>\n"
     "    <testcase classname=\"fine.yaml\" name=\"output again\">\n"
     "    </testcase>\n"
     "    <testcase classname=\"fine.yaml\" name=\"export a.npy\">\n"
     "    </testcase>\n"
     "    <system-err></system-err>\n"
     "  </testsuite>\n"
     "</testsuites>\n",
     "1 recipe: 1 as locked, 0 differ\n", ""},
    {"verify fine.yaml --format sarif", 0,
     "\"invocations\": [{\"executionSuccessful\": true,\"exitCode\": 0}],\"columnKind\": "
     "\"unicodeCodePoints\",\"results\": []}]}",
     "1 recipe: 1 as locked, 0 differ\n", ""},
    {"verify other.yaml --format junit -q", 1,
     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
     "<testsuites name=\"thalweg\" tests=\"6\" failures=\"5\" errors=\"0\" skipped=\"0\" time=\"\">\n"
     "  <testsuite name=\"thalweg verify\" tests=\"6\" failures=\"5\" errors=\"0\" skipped=\"0\" time=\"\">\n"
     "    <testcase classname=\"other.yaml\" name=\"lock\" time=\"\">\n"
     "      <failure type=\"a difference was found\" message=\"other.yaml differs from "
     "other.yaml.lock, first in node a\">other.yaml:4:6: other.yaml differs from other.yaml.lock, "
     "first in node a\n"
     "params.value: 0.5 -&gt; 0.75\n"
     "</failure>\n"
     "    </testcase>\n"
     "    <testcase classname=\"other.yaml\" name=\"recipe\">\n"
     "    </testcase>\n"
     "    <testcase classname=\"other.yaml\" name=\"output height\">\n"
     "      <failure type=\"a difference was found\" message=\"sha256 "
     "6ef19175092c05339a29615087a0b6cb5cd4dc0eacd5de5b9dc741244eef9699 -&gt; "
     "a3579e1a17f90bb44938b6277124d9fb8f6b729db8454a09a0363c12070c0b1f\"/>\n"
     "    </testcase>\n"
     "    <testcase classname=\"other.yaml\" name=\"output newer\">\n"
     "      <failure type=\"a difference was found\" message=\"sha256 none -&gt; "
     "a3579e1a17f90bb44938b6277124d9fb8f6b729db8454a09a0363c12070c0b1f\"/>\n"
     "    </testcase>\n"
     "    <testcase classname=\"other.yaml\" name=\"output new\">\n"
     "      <failure type=\"a difference was found\" message=\"it is missing\"/>\n"
     "    </testcase>\n"
     "    <testcase classname=\"other.yaml\" name=\"export a.npy\">\n"
     "      <failure type=\"a difference was found\" message=\"sha256 "
     "6ef19175092c05339a29615087a0b6cb5cd4dc0eacd5de5b9dc741244eef9699 -&gt; "
     "a3579e1a17f90bb44938b6277124d9fb8f6b729db8454a09a0363c12070c0b1f\"/>\n"
     "    </testcase>\n"
     "    <system-err></system-err>\n"
     "  </testsuite>\n"
     "</testsuites>\n",
     "1 recipe: 0 as locked, 1 differs: other.yaml\n", ""},
    {"verify other.yaml --format github -q", 1,
     "other.yaml: differs from other.yaml.lock\n"
     "  first: a (source.constant)\n"
     "    value 0.5 -> 0.75\n"
     "    height: 100.0 % of 64 cells differ, by 0.25 on the mean, at most 0.25 at (0, 0)\n"
     "  outputs: height, newer (new), new (missing)\n"
     "  exports: a.npy\n"
     "pictures and all numbers: verify/index.html\n"
     "1 recipe: 0 as locked, 1 differs: other.yaml\n",
     "::error file=other.yaml,line=4,col=6,title=thalweg::other.yaml differs from other.yaml.lock, "
     "first in node a%0Aparams.value: 0.5 -> 0.75\n",
     "- **error** other\\.yaml:4:6 other\\.yaml differs from other\\.yaml\\.lock, first in node a "
     "(params\\.value: 0\\.5 \\-\\> 0\\.75)\n"},
    {"verify other.yaml --format sarif -q", 1,
     "\"invocations\": [{\"executionSuccessful\": true,\"exitCode\": 1}],\"columnKind\": "
     "\"unicodeCodePoints\",\"results\": [{\"ruleId\": \"a-difference-was-found\",\"ruleIndex\": "
     "1,\"level\": \"error\",\"message\": {\"text\": \"other.yaml differs from other.yaml.lock, "
     "first in node a; params.value: 0.5 -> 0.75\"},\"locations\": [{\"physicalLocation\": "
     "{\"artifactLocation\": {\"uri\": \"other.yaml\"},\"region\": {\"startLine\": "
     "4,\"startColumn\": 6}}}]}]}]}",
     "1 recipe: 0 as locked, 1 differs: other.yaml\n", ""},
    {"run fine.yaml -q -j 1 --events -", 0,
     "{\"event\":\"start\",\"time\":,\"format\":\"thalweg.events/1\",\"version\":\"" TW_VERSION
     "\",\"command\":\"run\"}\n"
     "{\"event\":\"plan\",\"time\":,\"recipes\":[\"fine.yaml\"],\"nodes\":1,\"exports\":1,"
     "\"seconds\":,\"bytes\":256}\n"
     "{\"event\":\"node-done\",\"time\":,\"node\":\"a\",\"type\":\"source.constant\",\"file\":"
     "\"fine.yaml\",\"outcome\":\"hit\",\"seconds\":,\"left\":}\n"
     "{\"event\":\"export\",\"time\":,\"file\":\"out/"
     "a.npy\",\"written\":false,\"bytes\":384,\"sha256\":"
     "\"e9f927bdb6c02c96a2eaa260ec2ffd3bf383ac3a680ea7f5029ca5c7b6088ecf\"}\n"
     "{\"event\":\"end\",\"time\":,\"exit_code\":0,\"status\":\"done\",\"nodes\":1,\"computed\":0,"
     "\"hits\":1,\"exports\":1,\"written\":0,\"seconds\":}\n",
     "1 recipe: 0 exports written, 1 unchanged\n", ""},
};

static void write_all(void)
{
    static const char *const files[][2] = {
        {"fine.yaml", "thalweg: 1\nsize: 8\nnodes:\n  a: {type: source.constant}\n"
                      "outputs: {height: a, again: a}\nexport: {a.npy: height}\n"},
        {"other.yaml", "thalweg: 1\nsize: 8\nnodes:\n  a: {type: source.constant, value: 0.5}\n"
                       "outputs: {height: a, new: a}\nexport: {a.npy: height}\n"},
        {"warned.yaml", "thalweg: 1\nsize: 8\nnodes:\n  a: {type: source.constant}\n"
                        "  b: {type: source.constant}\noutputs: {height: a}\n"},
        {"bad.yaml", "thalweg: 1\nsize: 8\nsede: 3\nnodes:\n  a: {type: source.constnat}\n"
                     "  '<b>': {type: source.constant}\noutputs: {height: a}\n"},
        {"steps.yaml", "thalweg: 1\nsize: 8\nnodes:\n  m: {type: source.constant}\n"
                       "  b: {type: erosion.creep, in: m, dt: 100, substeps: one}\n"
                       "outputs: {height: b}\n"}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        command_write(files[i][0], files[i][1], strlen(files[i][1]));
}

static const char changed[] =
    "thalweg: 1\nsize: 8\nnodes:\n  a: {type: source.constant, value: 0.75}\n"
    "outputs: {height: a, newer: a}\nexport: {a.npy: height}\n";

/* Its rules are the same each time; in one line. */
static void shorten_sarif(char *text)
{
    const char *rest = strstr(text, "\"invocations\": ");
    while (rest && *rest) {
        *text++ = *rest++;
        if (text[-1] == '\n') {
            text--;
            rest += strspn(rest, " ");
        }
        *text = 0;
    }
}

/* Replaces what a key of JSON has by nothing. */
static void forget(char *text, const char *key)
{
    for (char *at = text; (at = strstr(at, key));) {
        at += strlen(key);
        size_t length = strcspn(at, ",}\n\">");
        memmove(at, at + length, strlen(at + length) + 1);
    }
}

static void every_format_has_its_words(void **state)
{
    char summary[4000];
    int wrong = 0;
    (void)state;
    write_all();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_text("summary.md", "");
        setenv("GITHUB_STEP_SUMMARY", "summary.md", 1);
        run(rows[i].arguments);
        unsetenv("GITHUB_STEP_SUMMARY");
        forget(result.out, "\"seconds\":");
        forget(result.out, "\"time\":");
        forget(result.out, "\"left\":");
        forget(result.out, "time=\"");
        shorten_sarif(result.out);
        if (strncmp(rows[i].arguments, "lock", 4) == 0)
            write_text("other.yaml", changed);
        char *text = read_text("summary.md");
        snprintf(summary, sizeof summary, "%s", text);
        free(text);
        if (result.code == rows[i].code && strcmp(result.out, rows[i].out) == 0 &&
            strcmp(result.err, rows[i].err) == 0 && strcmp(summary, rows[i].summary) == 0)
            continue;
        print_error("thalweg %s\nexpected %d\n%s%s%s\nfound %d\n%s%s%s\n", rows[i].arguments,
                    rows[i].code, rows[i].out, rows[i].err, rows[i].summary, result.code,
                    result.out, result.err, summary);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {GATE_TEST(every_format_has_its_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
