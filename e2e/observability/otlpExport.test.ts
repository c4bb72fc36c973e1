/** Spans, metrics and logs of an instance, as a collector receives them. */
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import * as Otlp from "effect/observability/Otlp"
import { expect, test } from "vitest"
import { pickHosts } from "../support/pickHosts.ts"
import {
  makeDecisionRequest,
  AccountTestServer,
  accountKeys
} from "../support/AccountTestServer.ts"
import { getProperty } from "../support/getProperty.ts"
import { send } from "../support/send.ts"

const hosts = pickHosts(import.meta.filename)

/** A collector: what was posted to it, by path. */
const startCollector = async () => {
  const got = new Map<string, Array<string>>()
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    got.set(request.url ?? "", [...(got.get(request.url ?? "") ?? []), body])
    response.setHeader("content-type", "application/json").end("{}")
  }
  const server = createServer((request, response) => void take(request, response))
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("the collector has no port")
  return {
    url: `http://127.0.0.1:${address.port}`,
    all: (path: string) => (got.get(path) ?? []).join("\n"),
    bodies: (path: string): ReadonlyArray<unknown> =>
      (got.get(path) ?? []).map((body): unknown => JSON.parse(body)),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    }
  }
}

/** Finds everything called `name`, at any depth. */
const findByName = (name: string, value: unknown): ReadonlyArray<unknown> => {
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === name && Array.isArray(inner) ? (inner as Array<unknown>) : findByName(name, inner)
  )
}

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const spanId = "00f067aa0ba902b7"
/** The span of a request that continues no trace. */
const newTrace = { traceId: expect.not.stringMatching(traceId), parentSpanId: undefined }

test.each([
  ["is continued", `00-${traceId}-${spanId}-01`, { traceId, parentSpanId: spanId }, 2],
  [
    "is continued in silence when it is not sampled",
    `00-${traceId}-${spanId}-00`,
    { traceId: undefined },
    0
  ],
  ["is ignored with a span of zeros", `00-${traceId}-${"0".repeat(16)}-01`, newTrace, 2],
  ["is ignored in an unknown form", `${traceId}-${spanId}`, newTrace, 2],
  ["is ignored when it is nonsense", "no trace", newTrace, 2]
] as const)("a traceparent %s", async (_, traceparent, expected, count) => {
  const { bodies, close, url } = await startCollector()
  const server = await AccountTestServer.start({
    telemetry: Otlp.layerJson({ baseUrl: url, resource: { serviceName: "proof" } })
  })
  const answer = await send(`${server.root}/api/alpha/decisions`, {
    body: JSON.stringify(makeDecisionRequest()),
    headers: {
      authorization: `Bearer ${accountKeys.member}`,
      "content-type": "application/json",
      traceparent
    }
  })
  expect(answer.status).toBe(200)
  await server[Symbol.asyncDispose]()
  const spans = findByName("spans", bodies("/v1/traces"))
  expect(spans).toHaveLength(count)
  const ofRequest = spans.find((span) => getProperty(span, "name") === "decision")
  expect({
    traceId: getProperty(ofRequest, "traceId"),
    parentSpanId: getProperty(ofRequest, "parentSpanId")
  }).toEqual(expected)
  await close()
})

test.each(hosts)("OTLP over HTTP, from $name", async (host) => {
  const { all, bodies, close, url } = await startCollector()
  const server = await AccountTestServer.start({
    host,
    log: true,
    telemetry: Otlp.layerJson({
      baseUrl: url,
      resource: { serviceName: "proof" },
      loggerMergeWithExisting: false
    })
  })
  const trace = {
    trace_id: "0af7651916cd43dd8448eb211c80319c",
    parent_span_id: "b7ad6b7169203331",
    span_name: "triage"
  }
  expect((await server.decide({ trace })).status).toBe(200)
  // Closing exports the remaining spans.
  await server[Symbol.asyncDispose]()

  const spans = findByName("spans", bodies("/v1/traces"))
  const found = (name: string): unknown => spans.find((span) => getProperty(span, "name") === name)
  expect(spans).toHaveLength(2)
  expect(found("triage")).toMatchObject({
    traceId: trace.trace_id,
    parentSpanId: trace.parent_span_id
  })
  expect(found("decisions proof/model")).toMatchObject({
    traceId: trace.trace_id,
    parentSpanId: getProperty(found("triage"), "spanId")
  })
  const attributes = findByName("attributes", found("decisions proof/model"))
  expect(attributes).toContainEqual({
    key: "gen_ai.provider.name",
    value: { stringValue: "first" }
  })
  expect(all("/v1/metrics")).toContain('"signalbox_requests_total"')
  expect(all("/v1/logs")).toContain('"request"')
  for (const path of ["/v1/traces", "/v1/metrics", "/v1/logs"]) {
    expect(all(path)).not.toContain("charged")
    for (const key of Object.values(accountKeys)) expect(all(path)).not.toContain(key)
  }
  await close()
})
