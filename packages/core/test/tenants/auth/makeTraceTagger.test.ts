import { assert, describe, it } from "vitest"
import { hostCaller } from "../../../src/tenants/auth/Caller.ts"
import { makeTraceTagger } from "../../../src/tenants/auth/makeTraceTagger.ts"

const trace = JSON.parse(
  '{"feature":"search","beta":true,"version":7,"long":"' +
    "x".repeat(257) +
    '","list":["a"],"nothing":null,"__proto__":"own","line":"a\\nb"}'
)

describe("tags of a trace", () => {
  it("are the keys that the host names, as far as they are legal", () => {
    const names = [
      "feature",
      "beta",
      "version",
      "long",
      "list",
      "nothing",
      "line",
      "none",
      "__proto__"
    ]
    const { tags } = makeTraceTagger(names)(hostCaller, trace)
    assert.deepStrictEqual(Object.entries(tags ?? {}), [
      ["feature", "search"],
      ["beta", "true"],
      ["version", "7"],
      ["__proto__", "own"]
    ])
  })

  it("give way to the tags of the caller, and are never more than eight with them", () => {
    const tags = Object.fromEntries(Array.from("abcdef", (key) => [key, "host"]))
    const said = Object.fromEntries(Array.from("abcdefghij", (key) => [key, "caller"]))
    const tagged = makeTraceTagger(Array.from("jfghia"))({ ...hostCaller, tags }, said)
    assert.deepStrictEqual(tagged.tags, { ...tags, j: "caller", g: "caller" })
  })

  it("leave a caller as it is without such keys, and give equal callers one object", () => {
    const addTags = makeTraceTagger(["feature"])
    assert.strictEqual(addTags(hostCaller, { trace_name: "feature" }), hostCaller)
    assert.strictEqual(addTags(hostCaller, undefined), hostCaller)
    assert.strictEqual(makeTraceTagger([])(hostCaller, trace), hostCaller)
    assert.strictEqual(addTags({ ...hostCaller }, trace), addTags({ ...hostCaller }, trace))
  })
})
