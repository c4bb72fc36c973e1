/** The failures of failover benchmarks, for speech and transcriptions: the second provider serves, or the caller learns why not. */
import { fault } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import { failoverScenarios, timeoutScenarios } from "../routing/failoverScenarios.ts"
import { getProperty } from "../support/getProperty.ts"
import { startAudioServer } from "./startAudioServer.ts"

/** Those of chats are no answers here, and their bodies are JSON. */
const scenarios = failoverScenarios.filter(
  ({ methods, server, step }) =>
    methods === undefined && (step !== undefined || server !== undefined)
)

/** Audio has no error inside, and no length that its JSON could have. */
const silentHere = /^1[1-4]\./

const operations = ["speak", "transcribe"] as const

describe.each(operations)("%s", (operation) => {
  test.each(scenarios.filter(({ name }) => !silentHere.test(name)))(
    "$name",
    async ({ alone, isFinal = false, server: options, step }) => {
      if (options?.tls === true) return
      const server = await startAudioServer({
        ...(options?.settings === undefined ? undefined : { settings: options.settings }),
        ...(options?.toFirstUrl === undefined ? undefined : { toFirstUrl: options.toFirstUrl })
      })
      if (step !== undefined) server.first.always(step)
      const answer = await server[operation]()
      expect([answer.status, server.second.requests.length]).toEqual(
        isFinal ? [alone, 0] : [200, 1]
      )
      const only = await server[operation]({ provider: { only: ["first"] } })
      expect([only.status, only.headers["content-type"]]).toEqual([alone, "application/json"])
      expect(getProperty(getProperty(only.body, "error"), "code")).toBe(alone)
    }
  )
})

test.each([
  ["malformed JSON", fault.notJson()],
  ["an empty 200", fault.empty()],
  ["an answer shorter than declared", fault.truncated("length")],
  ["an answer without its last chunk", fault.truncated("chunked")],
  ["an error inside a 200", fault.errorInBody(429)]
])("a transcription falls back after %s", async (_, step) => {
  const server = await startAudioServer()
  server.first.always(step)
  expect((await server.transcribe()).body).toMatchObject({ text: "Hello there." })
  const only = await server.transcribe({ provider: { only: ["first"] } })
  expect(only.status).toBeGreaterThanOrEqual(500)
})

test.each([
  ["malformed JSON", fault.notJson()],
  ["an empty 200", fault.empty()],
  ["an error inside a 200", fault.errorInBody(429)]
])("speech falls back after %s", async (_, step) => {
  const server = await startAudioServer()
  server.first.always(step)
  expect((await server.speak()).headers["content-type"]).toBe("audio/mpeg")
  const only = await server.speak({ provider: { only: ["first"] } })
  expect(only.status).toBeGreaterThanOrEqual(500)
})

test("silence before the first byte times out, for both", async () => {
  const silent = timeoutScenarios.filter(
    ({ name }) => name.startsWith("4.") || name.startsWith("6.")
  )
  const settings = { headersTimeoutMillis: 1_000 }
  await Promise.all(
    silent.flatMap(({ step }) =>
      operations.map(async (operation) => {
        const server = await startAudioServer({ settings })
        server.first.always(step!)
        expect((await server[operation]()).status).toBe(200)
        expect(server.second.requests).toHaveLength(1)
      })
    )
  )
})
