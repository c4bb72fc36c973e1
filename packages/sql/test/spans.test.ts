/** Tracers see the statements of requests, and nothing of background polling. */
import { basename } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { defaultAccountId, layer } from "@signalbox/core"
import { type Stores, WorkspaceStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import * as Tracer from "effect/Tracer"
import { pickScope } from "../../../vitest.scope.ts"
import { postgres, sqlite } from "../src/index.ts"
import { newFile, newSchema } from "./databases.ts"
import { offlinePlatform } from "./offlinePlatform.ts"

const makeRecordingTracer = () => {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  return { spans, tracer: Layer.succeed(Tracer.Tracer, tracer) }
}

const layerInstance = (stores: Layer.Layer<Stores, Error>, tracer: Layer.Layer<never>) =>
  layer({ stores, upstreams: [], models: [] }).pipe(
    Layer.provide(offlinePlatform),
    Layer.provideMerge(tracer)
  )

describe("spans", () => {
  it.effect("do not cover polling for jobs, video jobs, deliveries and changes", () => {
    const { spans, tracer } = makeRecordingTracer()
    return Effect.gen(function* () {
      yield* Layer.build(layerInstance(sqlite({ path: newFile() }), tracer))
      spans.length = 0
      // The full run is long enough for everything that polls more often than daily.
      const minutes = pickScope({ full: 130, sample: 20 })
      for (let minute = 0; minute < minutes; minute++) yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(
        spans.map((span) => span.attributes.get("db.query.text") ?? span.name),
        []
      )
    }).pipe(Effect.scoped)
  })

  it.live.each(["Postgres", "SQLite"] as const)(
    "of statements on %s name the database and contain no values",
    (name) => {
      const { spans, tracer } = makeRecordingTracer()
      const path = newFile()
      const schema = newSchema()
      const stores = name === "Postgres" ? postgres(schema) : sqlite({ path })
      return Effect.gen(function* () {
        const context = yield* Layer.build(layerInstance(stores, tracer))
        spans.length = 0
        const secret = "a-secret-value"
        yield* Effect.provideContext(
          Effect.gen(function* () {
            const workspaces = yield* WorkspaceStore
            yield* workspaces.find(defaultAccountId, secret)
          }),
          context
        )
        const statements = spans.filter((span) => span.attributes.has("db.query.text"))
        assert.isNotEmpty(statements)
        const { hostname, pathname, port } = new URL(schema.url)
        for (const { attributes } of statements) {
          assert.notInclude(String(attributes.get("db.query.text")), secret)
          assert.deepInclude(
            Object.fromEntries(attributes),
            name === "Postgres"
              ? {
                  "db.system.name": "postgresql",
                  "db.namespace": pathname.slice(1),
                  "server.address": decodeURIComponent(hostname),
                  "server.port": Number(port)
                }
              : { "db.system.name": "sqlite", "db.namespace": basename(path) }
          )
        }
      }).pipe(Effect.scoped)
    }
  )
})
