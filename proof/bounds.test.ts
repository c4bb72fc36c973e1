/** Whatever is too large in a request to a management operation is refused, and named. */
import { defaultWorkspaceId } from "@signalbox/core"
import { operations } from "@signalbox/core/adapter"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isObject, property } from "./property.ts"
import { sampleOf } from "./sampleOf.ts"
import { send } from "./send.ts"
import { keys, Stage } from "./Stage.ts"

/**
 * What is decided, talked about or made a video of is as large as the body may be; what a new intern may be is tried
 * with interns, for the only workspace it can name is that of its key.
 */
const unbounded = new Set([
  "/api/v1/chat/completions",
  "/api/v1/interns",
  "/api/v1/interns/:internId/chat/completions",
  "/api/v1/signalbox/plan",
  "/api/v1/videos"
])

/** What must be empty, is ignored, or goes with nothing else. */
const leftOut = new Set([
  "content_filters",
  "content_filter_builtins",
  "is_fallback",
  "nobody_knows_this"
])

/** What is good for a field, where not every text is. */
const texts: Readonly<Record<string, string>> = {
  allowed_api_key_hashes: "0".repeat(64),
  api_key: "0123456789abcdef0123456789abcdef",
  expires_at: "2100-01-01T00:00:00Z",
  model: "a/b",
  name: "aa"
}

/** Management keys are of no workspace. */
const ofWorkspaces = /^(interns|vault)\./

const length = (path: unknown): number => (Array.isArray(path) ? path.length : 0)

/** They take no body. */
const bodiless = new Set([
  "/api/v1/interns/:internId/provision",
  "/api/v1/interns/:internId/suspend",
  "/api/v1/signalbox/deliveries/:id/redeliver",
  "/api/v1/signalbox/videos/:jobId/cancel",
  "/api/v1/signalbox/workspaces/:id/webhook/secrets"
])

describe("requests", () => {
  let stage: Stage
  let document: unknown
  beforeAll(async () => {
    stage = await Stage.open({
      sealing: { current: "k", keys: { k: "a sealing key that nobody is going to guess" } }
    })
    document = (await send(`${stage.root}/api/v1/openapi.json`, { method: "GET" })).body
  })
  afterAll(() => stage[Symbol.asyncDispose]())

  const managing = operations.filter(
    ({ group, method, path }) =>
      group !== "decisions" &&
      !unbounded.has(path) &&
      !bodiless.has(path) &&
      ["POST", "PUT", "PATCH"].includes(method)
  )

  test.each(managing.map(({ group, method, name, path }) => [`${group}.${name}`, method, path]))(
    "of %s hold nothing without a bound",
    async (name, method, path) => {
      const schemas = property(property(document, "components"), "schemas")
      const inDocument = path.replaceAll(/:(\w+)/g, "{$1}")
      const schema = [inDocument, method.toLowerCase()].reduce(
        property,
        property(document, "paths")
      )
      const body = ["requestBody", "content", "application/json", "schema"].reduce(property, schema)
      expect(body).toBeDefined()
      const sample = sampleOf(schemas as Record<string, unknown>, {
        text: (field) => texts[field] ?? "a",
        everywhere: false
      })(body, "body")
      const good = Object.fromEntries(
        Object.entries(Object(sample)).filter(([field]) => !leftOut.has(field))
      )
      for (const large of oversized(good)) {
        const answer = await send(stage.root + addressOf(path), {
          method,
          headers: {
            authorization: `Bearer ${ofWorkspaces.test(name) ? keys.member : keys.management}`,
            "content-type": "application/json"
          },
          body: JSON.stringify(large.body)
        })
        const named = ["error", "metadata", "path"].reduce(property, answer.body)
        // A list that is not what it should be may be named as a whole.
        expect([answer.status, named]).toEqual([400, large.path.slice(0, length(named))])
        expect(length(named)).toBeGreaterThan(0)
      }
    }
  )
})

/** Of what everybody has. */
const addressOf = (path: string): string =>
  path.replace(":interval", "daily").replaceAll(/:\w+/g, defaultWorkspaceId)

interface Oversized {
  readonly path: ReadonlyArray<string | number>
  readonly body: unknown
}

/** The value with each of its texts and lists made far too large, one at a time. */
const oversized = (value: unknown): ReadonlyArray<Oversized> => {
  if (typeof value === "string") return [{ path: [], body: "a".repeat(100_001) }]
  if (Array.isArray(value)) {
    const [item] = value
    return [
      { path: [], body: Array.from({ length: 2_000 }, () => item) },
      ...oversized(item).map(({ body, path }) => ({ path: [0, ...path], body: [body] }))
    ]
  }
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, each]) =>
    oversized(each).map(({ body, path }) => ({
      path: [key, ...path],
      body: { ...value, [key]: body }
    }))
  )
}
