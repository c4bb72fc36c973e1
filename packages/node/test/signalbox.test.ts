import { type Options, SignalboxError } from "@signalbox/core"
import type { Upstream } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect, onTestFinished, test, vi } from "vitest"
import { Signalbox } from "../src/index.ts"
import { startInstance } from "./startInstance.ts"

const silent: Upstream = {
  slug: "silent",
  name: "Silent",
  decisions: {
    decide: () => Effect.never,
    estimateWorstCase: () => ({ inputTokens: 0, outputTokens: 0 })
  }
}
const makeOptions = (decide: NonNullable<Upstream["decisions"]>["decide"]): Options => ({
  ...options,
  upstreams: [{ ...silent, decisions: { ...silent.decisions!, decide } }]
})
const options: Options = {
  upstreams: [silent],
  models: [
    { id: "a/b", endpoints: [{ provider: "silent", price: { prompt: "0", completion: "0" } }] }
  ],
  settings: { drainTimeoutMillis: 20 }
}
const question = {
  model: "a/b",
  state: "s",
  questions: { ok: { type: "noul", instructions: "?" } }
} as const

test.each([
  ["an unknown setting", { settings: { maxAttemps: 2 } }, "settings.maxAttemps is no setting"],
  ["an empty key", { keys: [{ key: "", kind: "member", user: "ada" }] }, "a member key is empty"],
  [
    "an empty redacted key",
    { keys: [{ key: Redacted.make(""), kind: "member", user: "ada" }] },
    "is empty"
  ],
  [
    "a key from an unset variable",
    { keys: [{ key: undefined, kind: "member", user: "ada" }] },
    "is empty"
  ],
  ["an unknown kind of key", { keys: [{ key: "sk-1", kind: "admin" }] }, 'of kind "admin"'],
  [
    "a key with a negative limit",
    { keys: [{ key: "sk-given-a-limit", kind: "member", user: "ada", limit: -1 }] },
    "the key sk-...t: limit: "
  ],
  [
    "a key with an invalid expiry",
    { keys: [{ key: "sk-given-a-day", kind: "member", user: "ada", expiresAt: "2030-01-01" }] },
    "the key ***: expiresAt: expected a time such as"
  ],
  [
    "a key of a workspace with an unknown slug",
    { keys: [{ key: "sk-given-a-slug", kind: "member", user: "ada", workspace: "lab" }] },
    'keys.0: the key ***: the account "default" has no workspace "lab"'
  ],
  [
    "a key of a workspace with an unknown id",
    {
      keys: [
        {
          key: "sk-given-an-id",
          kind: "organization",
          workspace: "5f0c6c1e-6a5b-4f6e-9f0e-0123456789ab"
        }
      ]
    },
    'keys.0: the key ***: the account "default" has no workspace "5f0c6c1e-6a5b-4f6e-9f0e-0123456789ab"'
  ],
  [
    "a key of a workspace without a name",
    { keys: [{ key: "sk-given-a-blank", kind: "organization", workspace: "" }] },
    "keys.0: the key sk-...k: workspace: "
  ],
  [
    "a key given as two kinds",
    {
      keys: [
        { key: "sk-given-twice-over", kind: "member", user: "ada" },
        { key: Redacted.make("sk-given-twice-over"), kind: "management" }
      ]
    },
    "the key sk-...r is given twice"
  ],
  [
    "a key given to two members",
    {
      keys: [
        { key: "sk-1", kind: "member", user: "one" },
        { key: "sk-1", kind: "member", user: "two" }
      ]
    },
    "the key *** is given twice"
  ]
])("make rejects %s", async (_, wrong, message) => {
  // A host in JavaScript can pass any value.
  const made = Signalbox.make({ ...options, ...wrong } as Options)
  await expect(made).rejects.toThrow(RangeError)
  await expect(made).rejects.toThrow(message)
})

test("a caller that aborts gets its own reason", async () => {
  const instance = await Signalbox.make(options)
  const controller = new AbortController()
  const asked = instance.decide(question, { signal: controller.signal })
  controller.abort(new Error("changed my mind"))
  await expect(asked).rejects.toThrow("changed my mind")
  await instance.close()
})

test("running and later calls of a closing instance fail with draining", async () => {
  const instance = await Signalbox.make(options)
  const asked = instance.decide(question)
  const [cut] = await Promise.all([asked.catch((error: unknown) => error), instance.close()])
  for (const error of [cut, await instance.grantCredits("1").catch((late: unknown) => late)]) {
    expect(error).toBeInstanceOf(SignalboxError)
    expect(error).toMatchObject({ status: 503 })
  }
})

/** The console output of the service since then, as one text. */
const logged = (): (() => string) => {
  const log = vi.spyOn(console, "log").mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  return () => String(log.mock.calls)
}
const bug = new Error("row 17 of the host's own table")
const defect = {
  status: 502,
  message: expect.stringContaining("the provider's code has a defect")
}

test.each([
  ["dies", () => Effect.die(bug)],
  [
    "throws",
    () => {
      throw bug
    }
  ]
] as const)("wraps the error of an upstream that %s, and logs it", async (_, decide) => {
  const log = logged()
  const instance = await Signalbox.make(makeOptions(decide))
  const error = await instance.decide(question).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(SignalboxError)
  expect(error).toMatchObject(defect)
  expect(log()).toContain(bug.message)
  await instance.close()
})

test("an upstream that interrupts itself has a defect", async () => {
  const log = logged()
  const instance = await Signalbox.make(makeOptions(() => Effect.interrupt))
  await expect(instance.decide(question)).rejects.toMatchObject(defect)
  expect(log()).toContain("the code of the upstream")
  await instance.close()
})

test("a defect of an upstream is logged while the instance closes", async () => {
  const log = logged()
  const called = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const instance = await Signalbox.make({
    ...makeOptions(() =>
      Effect.sync(called.resolve).pipe(
        Effect.andThen(Effect.promise(() => released.promise)),
        Effect.andThen(Effect.die(bug))
      )
    ),
    settings: { drainTimeoutMillis: 600_000 }
  })
  const asked = instance.decide(question).catch((error: unknown) => error)
  await called.promise
  const closed = instance.close()
  released.resolve()
  expect(await asked).toMatchObject(defect)
  expect(log()).toContain(bug.message)
  await closed
})

test.each([
  ["no amount", "a lot", undefined],
  ["an empty amount", "", undefined],
  ["a debt", "-1", undefined],
  ["nobody", "1", ""]
])("rejects a grant of or to %s with a RangeError", async (_, usd, account) => {
  const instance = await Signalbox.make(options)
  await expect(instance.grantCredits(usd, account)).rejects.toThrow(RangeError)
  await instance.close()
})

test.each([
  ["member", 403],
  ["organization", 403],
  ["management", 200]
] as const)("health with a %s key: %i", async (kind, status) => {
  const instance = await Signalbox.make({ ...options, keys: [{ key: "sk-1", kind, user: "ada" }] })
  const request = new Request("http://host/api/v1/signalbox/health", {
    headers: { authorization: "Bearer sk-1" }
  })
  expect((await instance.fetch(request)).status).toBe(status)
  await instance.close()
})

test("an already aborted signal calls no upstream", async () => {
  const { instance, calls } = await startInstance()
  const signal = AbortSignal.abort(new Error("too late"))
  const request = {
    model: "test/model",
    state: "anything",
    questions: { sure: { type: "noul", instructions: "Are you sure?" } }
  } as const
  const chat = { model: "test/model", messages: [{ role: "user", content: "?" }] } as const
  await expect(instance.decide(request, { signal })).rejects.toThrow("too late")
  await expect(instance.chat(chat, { signal })).rejects.toThrow("too late")
  const chunks = instance.streamChat(chat, { signal })
  await expect(chunks[Symbol.asyncIterator]().next()).rejects.toThrow("too late")
  expect(calls()).toBe(0)
  expect((await instance.health()).running).toBe(0)
})
