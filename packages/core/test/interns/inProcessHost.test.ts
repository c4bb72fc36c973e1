import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { inProcessHost } from "../../src/interns/inProcessHost.ts"
import { InternHosting } from "../../src/interns/InternHost.ts"
import { Interns } from "../../src/interns/Interns.ts"
import { create, destroy, gone, inWorld, stands, suspend } from "./internWorld.ts"

describe("the host of interns that is built in", () => {
  it("gives each a hostname below the domain it is configured with, which stays while it is suspended", () =>
    inWorld(
      () =>
        Effect.gen(function* () {
          const { intern } = yield* create({ name: "ida-the-great-17", provision: true })
          assert.isNull(intern.hostname)
          yield* stands(intern.id, "running")
          const hostname = `ida-the-great-17-${intern.id.slice(7)}.interns.example.com`
          yield* suspend(intern.id)
          const byHostname = Interns.use((interns) => interns.findByHostname(hostname))
          const found = yield* byHostname
          assert.strictEqual(found?.hostname, hostname)
          assert.strictEqual(found?.id, intern.id)
          assert.isAtMost(hostname.split(".")[0]?.length ?? 0, 63)
          yield* destroy(intern.id)
          yield* gone(intern.id)
          assert.isUndefined(yield* byHostname)
        }),
      { options: { interns: { domain: "Interns.Example.com." } } }
    ))

  it("gives none without a domain", () =>
    inWorld(
      () =>
        Effect.gen(function* () {
          assert.strictEqual((yield* InternHosting).slug, "in-process")
          const { intern } = yield* create({ provision: true })
          yield* stands(intern.id, "running")
          assert.isUndefined(yield* Interns.use((interns) => interns.findByHostname("")))
        }),
      { options: { interns: {} } }
    ))

  it("refuses what is no domain", () => {
    for (const domain of [
      "",
      "a b",
      "https://a.example",
      "a..b",
      "-a.example",
      "a.example:80",
      "*.a"
    ]) {
      assert.throws(() => inProcessHost({ domain }), /interns\.domain must be a domain/)
    }
  })

  it("is not there beside another host", async () => {
    const both = { host: inProcessHost(), domain: "a.example" }
    const made = await inWorld(() => Effect.void, { options: { interns: both } }).then(
      () => "made",
      String
    )
    assert.match(made, /interns\.domain is for the host that is built in/)
  })
})
