/** Errors for hosts in JavaScript, without a compiler. */
import { type Caller, hostCaller, type Options, SignalboxError, UserId } from "@signalbox/core"
import type { Upstream } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import { expect, onTestFinished, test, vi } from "vitest"
import { signalbox, Signalbox } from "../src/index.ts"

const eagerUpstream: Upstream = {
  slug: "eager",
  name: "Eager",
  decisions: {
    decide: () => Effect.die("no decision expected"),
    estimateWorstCase: () => ({ inputTokens: 0, outputTokens: 0 })
  }
}
const endpoint = { provider: "eager", price: {} }
const model = { id: "a/b", endpoints: [endpoint] }
const options: Options = { upstreams: [eagerUpstream], models: [model] }

/** The options of an application without types. */
const toUntyped = (value: unknown): never => value as never

const makeInstance = async (given: Options = options) => {
  const instance = await Signalbox.make(given)
  onTestFinished(() => instance.close())
  return instance
}

const key = { key: "sk-of-a-member", kind: "member", user: "ada" }

test.each([
  ["no options", undefined, "expected an object of upstreams, models"],
  ["a string instead of options", "sk-1", "got string"],
  ["empty options", {}, "upstreams is missing: it must be a list of upstreams such as"],
  ["no models", { upstreams: [] }, "models is missing: it must be a list of models such as"],
  ["an unknown option", { ...options, guardrail: [] }, "guardrail is no option; there are"],
  [
    "a store factory that was not called",
    { ...options, stores: () => {} },
    "stores must be storage such"
  ],
  ["a key instead of keys", { ...options, keys: "sk-1" }, "keys must be a list of keys such as"],
  [
    "a string instead of a key",
    { ...options, keys: ["sk-1"] },
    "a key is not an object; give { key, kind"
  ],
  [
    "a number instead of a key",
    { ...options, keys: [{ key: 1, kind: "member" }] },
    "a key must be a str"
  ],
  [
    "a key with a misspelt limit",
    { ...options, keys: [{ ...key, limt: 5 }] },
    "keys.0: limt is no field of a key; did you mean limit?"
  ],
  [
    "a member key without a user",
    { ...options, keys: [{ key: "sk-of-a-member", kind: "member" }] },
    'keys.0: the key ***: user is missing; a member key acts for one, and kind: "organization" for none'
  ],
  [
    "a misspelt option",
    { ...options, guardrails: [], credts: {} },
    "guardrails is no option; there are"
  ],
  [
    "an endpoint with a misspelt field",
    { ...options, models: [model, { id: "a/c", endpoints: [{ ...endpoint, regoin: "eu" }] }] },
    'models.1.endpoints.0: endpoint "a/c@eager": regoin is no field of an endpoint; did you mean region?'
  ],
  ["a misspelt setting", { ...options, settings: { maxAttemps: 2 } }, "did you mean maxAttempts?"],
  ["a key of a user by number", { ...options, keys: [{ ...key, user: 5 }] }, "the key ***: user: "],
  [
    "an account with a misspelt restriction",
    { ...options, accounts: [{ id: "acme", dataColection: "deny" }] },
    "accounts.0: dataColection: "
  ],
  [
    "an account with a string instead of a list",
    { ...options, accounts: [{ id: "acme", only: "eager" }] },
    "accounts.0: only: "
  ],
  [
    "credits as a number",
    { ...options, credits: { default: 5 } },
    "credits.default: expected a decimal string of USD"
  ],
  ["sealing without keys", { ...options, sealing: { current: "a" } }, "sealing.keys must be"],
  [
    "a sealing key from an unset variable",
    { ...options, sealing: { current: "a", keys: { a: undefined } } },
    "sealing.keys.a has fewer than 32 characters; is the variable that holds it set?"
  ],
  ["a credential without key", { ...options, credentials: [{ provider: "eager" }] }, "key"],
  [
    "a credential with a misspelt workspace, which would apply to all",
    {
      ...options,
      sealing: { current: "a", keys: { a: "a sealing key that is hard to guess, for tests" } },
      credentials: [{ provider: "eager", key: "sk-of-a-customer", workspace: "lab" }]
    },
    "credentials.0: workspace is no field of a credential; did you mean workspace_id?"
  ],
  [
    "interns with a misspelt domain",
    { ...options, interns: { domian: "interns.example.com" } },
    "interns: domian is no field of interns; did you mean domain?"
  ],
  [
    "a misspelt failure rule",
    { ...options, failureRules: { bad_request: { fallbck: true } } },
    "failureRules.bad_request: fallbck is no field of a failure rule; did you mean fallback?"
  ],
  [
    "an upstream of the wrong type",
    { ...options, upstreams: [() => eagerUpstream] },
    "upstreams.0 is no u"
  ],
  ["an undefined model", { ...options, models: [undefined] }, "models must be a list of models"],
  [
    "a key without anything",
    { ...options, keys: [{}] },
    'a key is of kind "undefined"; use member'
  ],
  [
    "an invalid intern eligibility",
    { ...options, interns: { eligibility: true } },
    "interns must be an object such as { domain }, with eligibility as a function"
  ],
  ["a model without id", { ...options, models: [{}] }, "a model has no id; call it author/name"],
  [
    "an endpoint given as a string",
    { ...options, models: [{ id: "a/b", endpoints: ["eager"] }] },
    'model "a/b" has an endpoint without a provider; name an upstream'
  ],
  [
    "an endpoint with a number as its price",
    { ...options, models: [{ id: "a/b", endpoints: [{ provider: "eager", price: 5 }] }] },
    'endpoint "a/b@eager": price must be an object of USD per token such as'
  ],
  [
    "an endpoint with a string instead of a list",
    {
      ...options,
      models: [{ ...model, endpoints: [{ ...endpoint, supportedParameters: "tools" }] }]
    },
    "supportedParameters must be a list of names"
  ],
  ["a null overlay", { ...options, overlay: { "a/b": null } }, 'the overlay of "a/b" is no']
])("make rejects %s with a reason", async (_, wrong, message) => {
  const made = Signalbox.make(toUntyped(wrong))
  await expect(made).rejects.toThrow(RangeError)
  await expect(made).rejects.toThrow(message)
})

test.each([
  ["nothing", undefined, "expected an object of upstreams, models"],
  ["a misspelt name", { model: [] }, "model is no option; did you mean models?"],
  ["invalid models", { models: [{}] }, "a model has no id"]
])("replace rejects %s with a reason", async (_, change, message) => {
  const instance = await makeInstance()
  const replaced = instance.replace(toUntyped(change))
  await expect(replaced).rejects.toThrow(RangeError)
  await expect(replaced).rejects.toThrow(message)
})

const ada: Caller = { ...hostCaller, kind: "member", user: UserId.make("ada") }

test.each([
  ["a caller that is not wrapped", ada, /^account: /],
  ["no options", null, /object/],
  ["a caller given as a string", { caller: "ada" }, /^caller: /],
  ["a caller with a misspelt account", { caller: { acount: "acme" } }, /^caller\.acount: /],
  [
    "a caller in an unknown workspace",
    { caller: { workspace: "lab" } },
    /^caller\.workspace: the account "default" has no workspace "lab"$/
  ],
  ["an unknown kind of caller", { caller: { ...ada, kind: "boss" } }, /^caller\.kind: /],
  ["an invalid signal", { signal: 5 }, /^signal: expected an AbortSignal/]
])("calls in process reject %s with a reason", async (_, given, message) => {
  const instance = await makeInstance()
  const chat = { model: "a/b", messages: [{ role: "user", content: "?" }] } as const
  const calls = [
    () => instance.chat(chat, toUntyped(given)),
    () => instance.streamChat(chat, toUntyped(given))[Symbol.asyncIterator]().next(),
    () => instance.explain(chat, toUntyped(given)),
    () => instance.videos.get({ jobId: "gen-vid-1" }, toUntyped(given)),
    () => instance.interns.create({ name: "ada" }, toUntyped(given))
  ]
  for (const call of calls) {
    const error = await call().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(SignalboxError)
    expect(error).toMatchObject({ status: 400, message: expect.stringMatching(message) })
  }
})

test("creating an intern without a user is an error of the caller", async () => {
  const instance = await makeInstance()
  await expect(
    instance.interns.create({ name: "ada" }, toUntyped(undefined))
  ).rejects.toMatchObject({
    status: 403,
    message: expect.stringContaining("organization")
  })
})

test.each([
  [{ statuses: "running" }, /^statuses: /],
  [{ after: "x" }, /^after: /]
])("listing interns rejects %j", async (asked, message) => {
  const instance = await makeInstance()
  const error = await instance.interns.list(toUntyped(asked)).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ status: 400, message: expect.stringMatching(message) })
})

test("an undefined request has its own error", async () => {
  const instance = await makeInstance()
  for (const call of [instance.decide, instance.chat]) {
    const error = await call(toUntyped(undefined)).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      status: 400,
      message: "Invalid request: the body must be a JSON object"
    })
  }
})

const getStatus = async (authenticate: unknown): Promise<number> => {
  const instance = await makeInstance({ ...options, authenticate: toUntyped(authenticate) })
  const headers = { authorization: "Bearer t" }
  return (await instance.fetch(new Request("http://host/api/v1/key", { headers }))).status
}

test.each([
  ["true", true, "object"],
  ["a name", "ada", "object"],
  ["a user with a misspelt account", { user: "ada", acount: "acme" }, "acount"],
  ["a member without a user", { account: "acme" }, "user"]
])("rejects %s from `authenticate`", async (_, made, place) => {
  const log = vi.spyOn(console, "log").mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  expect(await getStatus(async () => made)).toBe(500)
  expect(String(log.mock.calls)).toContain("authenticate returned no caller")
  expect(String(log.mock.calls)).toContain(place)
})

test("`authenticate` may return null, with or without a promise", async () => {
  expect(await getStatus(async () => null)).toBe(401)
  expect(await getStatus(() => undefined)).toBe(401)
})

test("mounting a promise of an instance fails with a reason", async () => {
  const unawaited = makeInstance()
  expect(() => signalbox(toUntyped(unawaited))).toThrow(
    /did you forget `await Signalbox.make\(\)`\?$/
  )
  await unawaited
})

test("mounting rejects an unknown option", async () => {
  const instance = await makeInstance()
  expect(() => signalbox(instance, toUntyped("/ai"))).toThrow(
    /^signalbox takes one object of options/
  )
})

test("granting credits rejects an account that is a number", async () => {
  const instance = await makeInstance()
  await expect(instance.grantCredits(toUntyped(5))).rejects.toThrow(/got 5$/)
  await expect(instance.grantCredits("5", toUntyped(5))).rejects.toThrow("an account is no string")
})
