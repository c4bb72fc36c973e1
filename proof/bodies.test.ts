/** How a body is sent matters to every operation that takes one: one that stalls, and one that is compressed. */
import { defaultWorkspaceId } from "@signalbox/core"
import { operations } from "@signalbox/core/adapter"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { property } from "./property.ts"
import { send } from "./send.ts"
import { keys, Stage } from "./Stage.ts"
import { statusOfStalled } from "./stalled.ts"

/** They take no body, and wait for none. */
const bodiless = new Set([
  "/api/v1/signalbox/deliveries/:id/redeliver",
  "/api/v1/signalbox/videos/:jobId/cancel",
  "/api/v1/signalbox/workspaces/:id/webhook/secrets"
])

const taking = operations.filter(
  ({ method, path }) => !bodiless.has(path) && ["POST", "PUT", "PATCH"].includes(method)
)

/** Whoever manages runs no models, has no interns and no vaults. */
const keyFor = (group: string): string =>
  ["chat", "decisions", "internChats", "interns", "vault", "videos"].includes(group)
    ? keys.member
    : keys.management

/** Of what everybody has. */
const addressOf = (path: string): string =>
  path
    .replace(":interval", "daily")
    .replace(":internId", "intern_0123456789abcdefghij")
    .replaceAll(/:\w+/g, defaultWorkspaceId)

describe("a body", () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await Stage.open({
      sealing: { current: "k", keys: { k: "a sealing key that nobody is going to guess" } },
      settings: { requestBodyStallMillis: 20, internRequestDeadlineMillis: 5_000 }
    })
  })
  afterAll(() => stage[Symbol.asyncDispose]())

  const cases = taking.map(
    ({ group, method, name, path }) => [`${group}.${name}`, method, path, group] as const
  )

  test.each(cases)("that stalls on its way to %s is a 408", async (_, method, path, group) => {
    const status = await statusOfStalled(stage.root + addressOf(path), {
      key: keyFor(group),
      method
    })
    expect(status).toBe(408)
  })

  test.each(cases)(
    "in a coding nobody knows is a 415 of %s that names what is known",
    async (_, method, path, group) => {
      const answer = await send(stage.root + addressOf(path), {
        method,
        headers: {
          authorization: `Bearer ${keyFor(group)}`,
          "content-type": "application/json",
          "content-encoding": "zstd"
        },
        body: "{}"
      })
      expect([answer.status, answer.headers["accept-encoding"]]).toEqual([415, "gzip, deflate, br"])
      expect(["error", "message"].reduce(property, answer.body)).toBe(
        "The content encoding must be one of gzip, deflate, br, or none"
      )
    }
  )
})
