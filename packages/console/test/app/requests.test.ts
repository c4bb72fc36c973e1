import { execFileSync } from "node:child_process"
import { describe, expect, it, test } from "vitest"
import { compareRecords } from "../../app/pages/requests/compareRecords.ts"
import { pickFilters, toChartScope } from "../../app/pages/requests/filters.ts"
import type { RequestRecord } from "../../app/pages/requests/RequestRecord.ts"
import { quote, toCurl } from "../../app/pages/requests/toCurl.ts"
import { toCsv } from "../../app/pages/requests/toCsv.ts"
import { toPlanRequest, toSimilarRequest } from "../../app/pages/requests/toPlanRequest.ts"

describe("filters of requests", () => {
  it("are those of the address that are set", () => {
    expect(pickFilters({ model: "a", user: "", range: "1h", other: "x" })).toEqual({ model: "a" })
  })

  it("are charted one at a time, and the others are named", () => {
    expect(toChartScope({})).toEqual({ dimension: "total", value: undefined, ignored: [] })
    expect(toChartScope({ model: "a", user: "b" })).toEqual({
      dimension: "model",
      value: "a",
      ignored: ["user"]
    })
    // Series have no session, and no dimension has all failures.
    expect(toChartScope({ outcome: "failed", session_id: "s" })).toEqual({
      dimension: "total",
      value: undefined,
      ignored: ["outcome", "session"]
    })
  })
})

describe("a request as curl", () => {
  it.each(["it's", "$(touch x)", "`id`", String.raw`a\b`, "two\nlines", `"quoted"`])(
    "passes %j through a shell unchanged",
    (text) => {
      expect(execFileSync("sh", ["-c", `printf %s ${quote(text)}`], { encoding: "utf8" })).toBe(
        text
      )
    }
  )

  it("is for the path of its operation", () => {
    expect(toCurl("decisions", { model: "a" })).toBe(
      [
        `curl "$SIGNALBOX_URL/api/alpha/decisions"`,
        `-H "Authorization: Bearer $SIGNALBOX_API_KEY"`,
        `-H "Content-Type: application/json"`,
        `-d '{"model":"a"}'`
      ].join(" \\\n  ")
    )
  })
})

describe("a request like the recorded one", () => {
  const attempt: RequestRecord["attempts"][number] = {
    endpoint_id: "a/b@one",
    provider_name: "One",
    outcome: "served",
    status: 200,
    latency: 1,
    queue_wait: 0,
    connection_wait: 0,
    time_to_first_token: null,
    hedge: false,
    lost: false,
    credential_id: null,
    dropped_parameters: [],
    is_estimated: false,
    implausible_report: null,
    usage: null,
    cost: null,
    upstream_inference_cost: null,
    is_byok: false
  }
  const record: RequestRecord = {
    id: "gen-1",
    created_at: "2026-01-01T00:00:00.000Z",
    operation: "chat",
    workspace_id: "w",
    key_hash: null,
    user: null,
    external_user: null,
    tags: {},
    session_id: null,
    preset_id: null,
    request_id: null,
    requested_model: "a/b",
    models: ["a/b"],
    resolved_models: null,
    preferences: null,
    omitted_preferences: [],
    exceeded_limit: null,
    constraints: [],
    limits: [],
    model: "a/b",
    provider_name: "One",
    outcome: "answered",
    streamed: false,
    cache: null,
    latency: 1,
    queue_wait: 0,
    attempt_count: 1,
    usage: null,
    cost: null,
    upstream_inference_cost: null,
    is_byok: false,
    api: "chat",
    attempts: [attempt],
    rejected: [],
    demoted: [],
    filters: null,
    configuration_version: 1,
    strategy: "order",
    affinity: null,
    finish_reason: null,
    native_finish_reason: null,
    service_tier: null,
    upstream_id: null,
    upstream_model: null,
    method: null,
    label_mass: null,
    escalation: null,
    experiment: null,
    trace: null,
    replay_of: null
  }
  const withPrompt = (tokens: number): RequestRecord["attempts"][number] => ({
    ...attempt,
    usage: {
      tokens_prompt: tokens,
      tokens_completion: 1,
      tokens_cached: null,
      tokens_cache_write: null,
      tokens_reasoning: null,
      images: null,
      web_searches: null,
      characters: null,
      audio_seconds: null,
      output_images: null
    }
  })

  const compare = (change: Partial<RequestRecord>) =>
    compareRecords(record, { ...record, ...change }).filter(({ differs }) => differs)

  describe("beside another", () => {
    const usage = { ...withPrompt(100).usage!, tokens_completion: 10 }
    it("does not differ from itself", () => {
      expect(compare({ id: "gen-2", created_at: "2026-01-02T00:00:00.000Z" })).toEqual([])
    })

    it("differs in figures by a share, where both are known", () => {
      expect(compare({ latency: 2, cost: 0.5, usage })).toEqual([
        { name: "Latency", one: "1 ms", other: "2 ms", differs: true, change: "+100 %" },
        expect.objectContaining({ name: "Tokens in", one: "–", other: "100" }),
        expect.objectContaining({ name: "Tokens out", one: "–", other: "10" }),
        expect.objectContaining({ name: "Cost", one: "–", other: "$0.50" }),
        expect.objectContaining({ name: "Used" })
      ])
    })

    it("differs in its route and its preferences, whatever these are called", () => {
      expect(
        compare({
          provider_name: "Two",
          attempts: [{ ...attempt, endpoint_id: "a/b@two", outcome: "overloaded" }, attempt],
          preferences: JSON.parse('{ "only": ["two"], "__proto__": true }')
        })
      ).toEqual([
        { name: "Provider", one: "One", other: "Two", differs: true },
        {
          name: "Attempts",
          one: "a/b@one served",
          other: "a/b@two overloaded, then a/b@one served",
          differs: true
        },
        { name: "provider.only", one: "–", other: '["two"]', differs: true },
        { name: "provider.__proto__", one: "–", other: "true", differs: true }
      ])
    })
  })

  it("has its models and preferences, and a placeholder for the content", () => {
    const preferences = { order: ["one"], allow_fallbacks: false }
    expect(toSimilarRequest({ ...record, models: ["a/b", "a/c:floor"], preferences })).toEqual({
      model: "a/b",
      models: ["a/c:floor"],
      messages: [{ role: "user", content: "Hello" }],
      provider: preferences
    })
    expect(toSimilarRequest(record)).toEqual({
      model: "a/b",
      messages: [{ role: "user", content: "Hello" }]
    })
  })

  it.each([
    ["chat", 5_000],
    ["decisions", 5_000],
    ["embeddings", 70_000]
  ])("is planned for a prompt of the same length: %s", (operation, tokens) => {
    const attempts = [withPrompt(12), withPrompt(tokens)]
    const planned = toPlanRequest({ ...record, operation, attempts })
    expect(Math.ceil(JSON.stringify(planned).length / 4)).toBe(tokens)
  })

  it("is planned with a prompt below the limit of bodies, and with the placeholder if it was short", () => {
    const planned = toPlanRequest({
      ...record,
      operation: "decisions",
      attempts: [withPrompt(900_000)]
    })
    expect(JSON.stringify(planned).length).toBeLessThan(1_048_576)
    expect(toPlanRequest({ ...record, attempts: [withPrompt(1)] })).toEqual(
      toSimilarRequest(record)
    )
  })

  it("is planned with the parameters that some endpoint was not sent", () => {
    const attempts = [
      { ...attempt, dropped_parameters: ["tools", "max_tokens"] },
      { ...attempt, dropped_parameters: ["seed"] }
    ]
    expect(toPlanRequest({ ...record, attempts })).toEqual({
      ...toSimilarRequest(record),
      tools: true,
      seed: true
    })
  })
})

test("a file for spreadsheets quotes texts, and starts no formula", () => {
  expect(
    toCsv([
      ["id", "cost"],
      ['a "b",\nc', 0.000_000_4],
      ["=1+1", null],
      ["-x", undefined]
    ])
  ).toBe('id,cost\r\n"a ""b"",\nc",0.0000004\r\n\'=1+1,\r\n\'-x,\r\n')
})
