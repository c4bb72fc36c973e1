import { type Options, SignalboxError, type Upstream } from "@signalbox/core"
import * as Effect from "effect/Effect"
import { expect, test } from "vitest"
import { Signalbox } from "../src/index.ts"

const silent: Upstream = {
  slug: "silent",
  name: "Silent",
  decisions: {
    decide: () => Effect.never,
    worstCase: () => ({ inputTokens: 0, outputTokens: 0 })
  }
}
const options: Options = {
  upstreams: [silent],
  models: [
    { id: "a/b", endpoints: [{ provider: "silent", price: { prompt: "0", completion: "0" } }] }
  ],
  settings: { drainDeadlineMillis: 20 }
}
const question = {
  model: "a/b",
  state: "s",
  questions: { ok: { type: "noul", instructions: "?" } }
} as const

test.each([
  ["a setting nobody knows", { settings: { maxAttemps: 2 } }, "settings.maxAttemps is no setting"],
  ["an empty key", { keys: [{ key: "", kind: "member" }] }, "a member key is empty"],
  ["a key from an unset variable", { keys: [{ key: undefined, kind: "member" }] }, "is empty"],
  ["a kind of key nobody knows", { keys: [{ key: "sk-1", kind: "admin" }] }, 'of kind "admin"']
])("%s is refused when a box is made", async (_, wrong, message) => {
  // A host in JavaScript may say anything.
  const made = Signalbox.make({ ...options, ...wrong } as Options)
  await expect(made).rejects.toThrow(RangeError)
  await expect(made).rejects.toThrow(message)
})

test("a caller that aborts gets its own reason back", async () => {
  const box = await Signalbox.make(options)
  const controller = new AbortController()
  const asked = box.decide(question, { signal: controller.signal })
  controller.abort(new Error("changed my mind"))
  await expect(asked).rejects.toThrow("changed my mind")
  await box.close()
})

test("what a closing box cuts short, and what comes after, is told that it closes", async () => {
  const box = await Signalbox.make(options)
  const asked = box.decide(question)
  const [cut] = await Promise.all([asked.catch((error: unknown) => error), box.close()])
  for (const error of [cut, await box.grantCredits("1").catch((late: unknown) => late)]) {
    expect(error).toBeInstanceOf(SignalboxError)
    expect(error).toMatchObject({ status: 503 })
  }
})

test.each([
  ["member", 403],
  ["organization", 403],
  ["management", 200]
] as const)("the health of a box, asked with a %s key: %i", async (kind, status) => {
  const box = await Signalbox.make({ ...options, keys: [{ key: "sk-1", kind }] })
  const request = new Request("http://host/api/v1/signalbox/health", {
    headers: { authorization: "Bearer sk-1" }
  })
  expect((await box.fetch(request)).status).toBe(status)
  await box.close()
})
