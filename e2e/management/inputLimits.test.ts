/** Management operations reject values that are too large, and name them. */
import { defaultWorkspaceId } from "@signalbox/core"
import { operations } from "@signalbox/core/adapter"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isObject, getProperty } from "../support/getProperty.ts"
import { makeSample } from "../support/sampleJson.ts"
import { send } from "../support/send.ts"
import { keys, TestServer } from "../support/TestServer.ts"

/**
 * Requests of models are limited by the size of the body, and by settings, and so are labels of their answers. The creation of interns is
 * tested with interns, as it requires the workspace of the key.
 */
const operationsWithoutLimits = new Set([
  "/api/v1/audio/speech",
  "/api/v1/audio/transcriptions",
  "/api/v1/chat/completions",
  "/api/v1/embeddings",
  "/api/v1/images",
  "/api/v1/images/edits",
  "/api/v1/images/generations",
  "/api/v1/interns",
  "/api/v1/interns/:internId/chat/completions",
  "/api/v1/messages",
  "/api/v1/messages/count_tokens",
  "/api/v1/presets/:slug/chat/completions",
  "/api/v1/presets/:slug/messages",
  "/api/v1/presets/:slug/responses",
  "/api/v1/rerank",
  "/api/v1/responses",
  "/api/v1/signalbox/calibration/samples",
  "/api/v1/signalbox/plan",
  "/api/v1/videos"
])

/** Fields that must be empty, are ignored, or exclude other fields. */
const skippedFields = new Set([
  "classifier_dimensions",
  "classifier_filters",
  "content_filters",
  "content_filter_builtins",
  "is_fallback",
  "nobody_knows_this"
])

/** Valid values of fields that do not accept every text. */
const validTexts: Readonly<Record<string, string>> = {
  allowed_api_key_hashes: "0".repeat(64),
  callback_url: "https://app.example/callback",
  code_challenge: "c".repeat(43),
  code_challenge_method: "S256",
  api_key: "0123456789abcdef0123456789abcdef",
  end: "2026-11-02T00:00:00Z",
  expires_at: "2100-01-01T00:00:00Z",
  model: "a/b",
  name: "aa",
  start: "2026-11-01T00:00:00Z"
}

/** Operations that need the key of a workspace, which management keys are not. */
const needsWorkspaceKey = /^(interns|oAuth|vaults)\./

const getPathLength = (path: unknown): number => (Array.isArray(path) ? path.length : 0)

/** Operations without a request body. */
const operationsWithoutBody = new Set([
  "/api/v1/interns/:internId/provision",
  "/api/v1/interns/:internId/suspend",
  "/api/v1/signalbox/calibration",
  "/api/v1/signalbox/deliveries/:id/redeliver",
  "/api/v1/signalbox/customers/:slug/resume",
  "/api/v1/signalbox/experiments/:id/restart",
  "/api/v1/signalbox/experiments/:id/stop",
  "/api/v1/signalbox/videos/:jobId/cancel",
  "/api/v1/signalbox/workspaces/:id/webhook/secrets",
  "/api/v1/signalbox/workspaces/:id/webhook/test"
])

describe("the fields of requests", () => {
  let server: TestServer
  let document: unknown
  beforeAll(async () => {
    server = await TestServer.start({
      // Samples name a check of that name.
      contentChecks: { a: { find: () => [] } },
      pkce: { callbackUrls: ["https://app.example/callback"] },
      sealing: { current: "k", keys: { k: "a sealing key that nobody is going to guess" } }
    })
    document = (await send(`${server.root}/api/v1/openapi.json`, { method: "GET" })).body
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const managementOperations = operations.filter(
    ({ group, method, path }) =>
      group !== "decisions" &&
      !operationsWithoutLimits.has(path) &&
      !operationsWithoutBody.has(path) &&
      ["POST", "PUT", "PATCH"].includes(method)
  )

  test.each(
    managementOperations.map(({ group, method, name, path }) => [`${group}.${name}`, method, path])
  )("of %s are all bounded", async (name, method, path) => {
    const schemas = getProperty(getProperty(document, "components"), "schemas")
    const inDocument = path.replaceAll(/:(\w+)/g, "{$1}")
    const schema = [inDocument, method.toLowerCase()].reduce(
      getProperty,
      getProperty(document, "paths")
    )
    const body = ["requestBody", "content", "application/json", "schema"].reduce(
      getProperty,
      schema
    )
    expect(body).toBeDefined()
    const sample = makeSample(schemas as Record<string, unknown>, {
      text: (field) => validTexts[field] ?? "a",
      everywhere: false
    })(body, "body")
    const good = Object.fromEntries(
      Object.entries(Object(sample)).filter(
        // Routing preferences are those of requests that run models.
        ([field, value]) => !skippedFields.has(field) && !(field === "provider" && isObject(value))
      )
    )
    for (const large of listOversized(good)) {
      const answer = await send(server.root + toPath(path), {
        method,
        headers: {
          authorization: `Bearer ${needsWorkspaceKey.test(name) ? keys.member : keys.management}`,
          "content-type": "application/json"
        },
        body: JSON.stringify(large.body)
      })
      const named = ["error", "metadata", "path"].reduce(getProperty, answer.body)
      // The error may name an invalid list as a whole.
      expect([answer.status, named]).toEqual([400, large.path.slice(0, getPathLength(named))])
      expect(getPathLength(named)).toBeGreaterThan(0)
    }
  })
})

/** Fills in ids that exist in every account. */
const toPath = (path: string): string =>
  path.replace(":interval", "daily").replaceAll(/:\w+/g, defaultWorkspaceId)

interface Oversized {
  readonly path: ReadonlyArray<string | number>
  readonly body: unknown
}

/** Copies of the value, each with one text or list made far too large. */
const listOversized = (value: unknown): ReadonlyArray<Oversized> => {
  if (typeof value === "string") return [{ path: [], body: "a".repeat(100_001) }]
  if (Array.isArray(value)) {
    const [item] = value
    return [
      { path: [], body: Array.from({ length: 2_000 }, () => item) },
      ...listOversized(item).map(({ body, path }) => ({ path: [0, ...path], body: [body] }))
    ]
  }
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, each]) =>
    listOversized(each).map(({ body, path }) => ({
      path: [key, ...path],
      body: { ...value, [key]: body }
    }))
  )
}
