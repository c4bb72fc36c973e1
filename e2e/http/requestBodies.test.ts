/** Every operation with a request body handles stalled bodies and unknown encodings. */
import { defaultWorkspaceId } from "@signalbox/core"
import { operations } from "@signalbox/core/adapter"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { getProperty } from "../support/getProperty.ts"
import { send } from "../support/send.ts"
import { keys, TestServer } from "../support/TestServer.ts"
import { sendStalledBody } from "../support/sendStalledBody.ts"

/** Operations without a request body, which do not wait for one. */
const operationsWithoutBody = new Set([
  "/api/v1/signalbox/calibration",
  "/api/v1/signalbox/customers/:slug/resume",
  "/api/v1/signalbox/deliveries/:id/redeliver",
  "/api/v1/signalbox/experiments/:id/restart",
  "/api/v1/signalbox/experiments/:id/stop",
  "/api/v1/signalbox/videos/:jobId/cancel",
  "/api/v1/signalbox/workspaces/:id/webhook/secrets",
  "/api/v1/signalbox/workspaces/:id/webhook/test"
])

const operationsWithBody = operations.filter(
  ({ method, path }) =>
    !operationsWithoutBody.has(path) && ["POST", "PUT", "PATCH"].includes(method)
)

/** Management keys have no access to models, interns and vaults. */
const memberGroups: ReadonlySet<string> = new Set([
  "chat",
  "decisions",
  "embeddings",
  "images",
  "interns",
  "messages",
  "rerank",
  "responses",
  "speech",
  "transcription",
  "vaults",
  "videos"
])

const getKey = (group: string): string => (memberGroups.has(group) ? keys.member : keys.management)

/** Fills in ids that exist in every account. */
const toPath = (path: string): string =>
  path
    .replace(":interval", "daily")
    .replace(":internId", "intern_0123456789abcdefghij")
    .replaceAll(/:\w+/g, defaultWorkspaceId)

describe("a request body", () => {
  let server: TestServer
  beforeAll(async () => {
    server = await TestServer.start({
      sealing: { current: "k", keys: { k: "a sealing key that nobody is going to guess" } },
      settings: { requestBodyIdleTimeoutMillis: 20, internRequestTimeoutMillis: 5_000 }
    })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const cases = operationsWithBody.map(
    ({ group, method, name, path }) => [`${group}.${name}`, method, path, group] as const
  )

  test.each(cases)("that stalls is answered with a 408 by %s", async (_, method, path, group) => {
    const status = await sendStalledBody(server.root + toPath(path), {
      key: getKey(group),
      method
    })
    expect(status).toBe(408)
  })

  test.each(cases)(
    "in an unknown encoding is answered by %s with a 415 that lists the supported ones",
    async (_, method, path, group) => {
      const answer = await send(server.root + toPath(path), {
        method,
        headers: {
          authorization: `Bearer ${getKey(group)}`,
          "content-type": "application/json",
          "content-encoding": "zstd"
        },
        body: "{}"
      })
      expect([answer.status, answer.headers["accept-encoding"]]).toEqual([415, "gzip, deflate, br"])
      expect(["error", "message"].reduce(getProperty, answer.body)).toBe(
        "The content encoding must be one of gzip, deflate, br, or none"
      )
    }
  )
})
