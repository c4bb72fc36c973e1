import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { makeInProcessHost } from "../../../../src/domains/interns/host/InProcessHost.ts"
import { InternHostService } from "../../../../src/domains/interns/host/InternHost.ts"
import { Interns } from "../../../../src/domains/interns/Interns.ts"
import { defaultWorkspaceId } from "../../../../src/values/ids/Ids.ts"
import { Workspaces } from "../../../../src/tenants/workspaces/Workspaces.ts"
import {
  ann,
  create,
  destroy,
  find,
  waitUntilRemoved,
  withInternFixture,
  provision,
  waitForStatus,
  suspend
} from "../internFixture.ts"

const workspaceDefaults = { defaultTextModel: "a/b" }

describe("the built-in host of interns", () => {
  it("gives each intern a hostname below its domain, which stays while it is suspended", () =>
    withInternFixture(
      () =>
        Effect.gen(function* () {
          const { intern } = yield* create({ name: "ida-the-great-17", provision: true })
          assert.isNull(intern.hostname)
          yield* waitForStatus(intern.id, "running")
          const hostname = `ida-the-great-17-${intern.id.slice(7)}.interns.example.com`
          yield* suspend(intern.id)
          const byHostname = Interns.use((interns) => interns.findByHostname(hostname))
          const found = yield* byHostname
          assert.strictEqual(found?.hostname, hostname)
          assert.strictEqual(found?.id, intern.id)
          assert.isAtMost(hostname.split(".")[0]?.length ?? 0, 63)
          yield* destroy(intern.id)
          yield* waitUntilRemoved(intern.id)
          assert.isUndefined(yield* byHostname)
        }),
      { options: { interns: { domain: "Interns.Example.com." }, workspaceDefaults } }
    ))

  it("gives no hostname without a domain", () =>
    withInternFixture(
      () =>
        Effect.gen(function* () {
          assert.strictEqual((yield* InternHostService).slug, "in-process")
          const { intern } = yield* create({ provision: true })
          yield* waitForStatus(intern.id, "running")
          assert.isUndefined(yield* Interns.use((interns) => interns.findByHostname("")))
        }),
      { options: { interns: {}, workspaceDefaults } }
    ))

  it("fails to provision without a model, and says what to set", () =>
    withInternFixture(
      () =>
        Effect.gen(function* () {
          const { intern } = yield* create({ provision: true })
          yield* waitForStatus(intern.id, "failed")
          const { lastFailureMessage } = yield* find(intern.id)
          assert.include(lastFailureMessage, "PATCH its model")
          assert.include(lastFailureMessage, "default_text_model")
          const { intern: later } = yield* create({ name: "ben" })
          assert.strictEqual(later.status, "stopped")
          yield* provision(later.id)
          yield* waitForStatus(later.id, "failed")
          const workspaces = yield* Workspaces
          yield* workspaces.update(ann, defaultWorkspaceId, { default_text_model: "a/b" })
          yield* provision(later.id)
          yield* waitForStatus(later.id, "running")
          assert.isNull((yield* find(later.id)).lastFailureMessage)
          yield* Interns.use((interns) => interns.update(ann, intern.id, { model: "a/c" }))
          yield* workspaces.update(ann, defaultWorkspaceId, { default_text_model: null })
          yield* provision(intern.id)
          yield* waitForStatus(intern.id, "running")
        }),
      { options: { interns: {} } }
    ))

  it("rejects an invalid domain", () => {
    for (const domain of [
      "",
      "a b",
      "https://a.example",
      "a..b",
      "-a.example",
      "a.example:80",
      "*.a"
    ]) {
      assert.throws(() => makeInProcessHost({ domain }), /interns\.domain must be a domain/)
    }
  })

  it("rejects its options beside another host", async () => {
    const both = { host: makeInProcessHost(), domain: "a.example" }
    const made = await withInternFixture(() => Effect.void, { options: { interns: both } }).then(
      () => "made",
      String
    )
    assert.match(made, /interns\.domain configures the built-in host/)
  })
})
