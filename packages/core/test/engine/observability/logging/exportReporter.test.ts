import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Otlp from "effect/observability/Otlp"
import { TestClock } from "effect/testing"
import { layerExportReporter } from "../../../../src/engine/observability/logging/exportReporter.ts"

type State = "away" | "refusing" | "there"

/** A collector whose state the test sets, and the log. */
const collector = () => {
  const now = { state: "there" as State }
  const lines: Array<string> = []
  let exports = 0
  const client = HttpClient.make((request) => {
    exports++
    return now.state === "away"
      ? Effect.fail(
          new HttpClientError.HttpClientError({
            reason: new HttpClientError.TransportError({ request, cause: new Error("sk-secret") })
          })
        )
      : Effect.succeed(
          HttpClientResponse.fromWeb(
            request,
            new Response("{}", { status: now.state === "there" ? 200 : 403 })
          )
        )
  })
  const logger = Logger.map(Logger.formatStructured, ({ level, message }) => {
    lines.push(`${level} ${String(message)}`)
  })
  const telemetry = Otlp.layerJson({
    baseUrl: "http://user:sk-secret@collector.example:4318",
    resource: { serviceName: "test" },
    tracerExportInterval: "5 seconds"
  }).pipe(
    Layer.provide(layerExportReporter),
    Layer.provide(Layer.succeed(HttpClient.HttpClient, client)),
    Layer.provideMerge(Logger.layer([logger]))
  )
  return { now, lines, telemetry, exports: () => exports }
}

/**
 * Enough time to create and export spans, beyond the minute for which a failing exporter pauses.
 */
const minutes = Effect.gen(function* () {
  for (let second = 0; second < 300; second += 5) {
    yield* Effect.void.pipe(Effect.withSpan("work"))
    yield* TestClock.adjust("5 seconds")
  }
})

describe("an unavailable collector", () => {
  it.effect("is logged once, and once more when it is back", () => {
    const { exports, lines, now, telemetry } = collector()
    return Effect.gen(function* () {
      yield* minutes
      assert.isAtLeast(exports(), 10)
      assert.deepStrictEqual(lines, [])
      now.state = "away"
      yield* minutes
      const away =
        "WARN telemetry cannot be exported to http://collector.example:4318: TransportError"
      assert.deepStrictEqual(lines, [away])
      now.state = "there"
      yield* minutes
      const back = "INFO telemetry is exported to http://collector.example:4318 again"
      assert.deepStrictEqual(lines, [away, back])
    }).pipe(Effect.provide(telemetry))
  })

  it.effect("is distinguished from one that rejects spans", () => {
    const { lines, now, telemetry } = collector()
    return Effect.gen(function* () {
      now.state = "refusing"
      yield* minutes
      const refused = lines.filter((line) => line.includes("/v1/traces: it answers 403"))
      assert.lengthOf(refused, 1)
    }).pipe(Effect.provide(telemetry))
  })
})
