import { assert, describe, it } from "vitest"
import fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import type { Candidate } from "../../../src/routing/Candidate.ts"
import type { Constraint } from "../../../src/routing/restrictions/Constraint.ts"
import type { Requirements } from "../../../src/routing/Requirements.ts"
import {
  buildHardRules,
  buildRequestRules,
  findRejectionReasons,
  findRestrictions
} from "../../../src/routing/plan/hardRules.ts"
import type { Preferences } from "../../../src/routing/Preferences.ts"
import { makeCandidate } from "../makeCandidate.ts"
import { scenario } from "./planScenarios.ts"

const demand: Requirements = { parameters: ["tools", "seed"], inputTokens: 60, outputTokens: 40 }

const findReasons = (
  candidate: Candidate,
  preferences: Preferences,
  constraints: ReadonlyArray<Constraint> = []
) =>
  findRejectionReasons(
    candidate,
    buildHardRules({ models: [], preferences, constraints, requirements: demand })
  ).map(({ found, rule, source, wanted }) => [rule, source, wanted, found])

const one = makeCandidate({ provider: "one" })
const best = makeCandidate({
  provider: "two",
  variant: "eu",
  name: "Two",
  price: { prompt: "0", completion: "0" },
  contextLength: 100,
  supportedParameters: ["seed", "tools"],
  quantization: "mxfp4",
  data: { collects: false, trains: false, retains: false },
  distillable: true
})
const unpriced = makeCandidate({ provider: "three", price: { prompt: "0.000001" } })

describe("hardRules", () => {
  it("give the same reasons together and apart, however often they are asked", () => {
    fc.assert(
      fc.property(scenario, (input) => {
        const rules = buildHardRules(input)
        for (const candidate of input.candidates) {
          const reasons = findRejectionReasons(candidate, rules)
          for (let asked = 0; asked < 2; asked++) {
            assert.deepStrictEqual(
              [
                ...findRestrictions(input.constraints)(candidate),
                ...findRejectionReasons(candidate, buildRequestRules(input))
              ],
              reasons
            )
          }
        }
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("let no provider choose a model of its own where a guardrail restricts models", () => {
    const modelChoice = { dialect: "messages", path: "fallbacks" } as const
    const spoken: Candidate = { ...best, dialect: "messages" }
    const find = (candidate: Candidate, constraint: Omit<Constraint, "source">) =>
      findRejectionReasons(
        candidate,
        buildHardRules({
          models: [],
          preferences: {},
          constraints: [{ source: "g", ...constraint }],
          requirements: { ...demand, modelChoice }
        })
      ).map(({ found, rule }) => [rule, found])
    const onlyModels = [spoken.endpoint.model]
    assert.deepStrictEqual(find(spoken, { onlyModels }), [["allowed_models", "fallbacks"]])
    assert.deepStrictEqual(find(spoken, { ignoreModels: ["x/y"] }), [
      ["ignored_models", "fallbacks"]
    ])
    assert.deepStrictEqual(find(spoken, { ignoreModels: [] }), [])
    // It is not sent the field.
    assert.deepStrictEqual(find(best, { onlyModels }), [])
  })

  it("reject no candidate by default", () => {
    for (const each of [one, best, unpriced]) assert.deepStrictEqual(findReasons(each, {}), [])
    assert.deepStrictEqual(
      findReasons(one, {
        allow_fallbacks: null,
        data_collection: null,
        enforce_distillable_text: null,
        ignore: null,
        max_price: {},
        only: null,
        order: null,
        preferred_max_latency: null,
        preferred_min_throughput: null,
        quantizations: null,
        require_parameters: null,
        sort: null,
        zdr: null
      }),
      []
    )
    assert.deepStrictEqual(
      findReasons(one, {
        data_collection: "allow",
        enforce_distillable_text: false,
        require_parameters: false,
        zdr: false,
        ignore: []
      }),
      []
    )
  })

  const requested: ReadonlyArray<[Candidate, Preferences, ReadonlyArray<string>]> = [
    [one, { only: ["two", "three"] }, ["only", "one of two, three", "one"]],
    [best, { ignore: ["one", "TWO"] }, ["ignore", "none of one, TWO", "two/eu"]],
    [one, { zdr: true }, ["zdr", "zero data retention", "retains data"]],
    [one, { data_collection: "deny" }, ["data_collection", "no data collection", "collects data"]],
    [
      one,
      { enforce_distillable_text: true },
      ["distillable", "a model whose author allows distillation", "not distillable"]
    ],
    [one, { quantizations: ["fp8", "bf16"] }, ["quantization", "one of fp8, bf16", "unknown"]],
    [
      one,
      { require_parameters: true },
      ["require_parameters", "tools, seed", "unknown whether it supports tools, seed"]
    ],
    [
      one,
      { max_price: { prompt: "0.5" } },
      ["max_price", "<= 0.5 USD per million prompt tokens", "1"]
    ],
    [
      one,
      { max_price: { completion: 0.5 } },
      ["max_price", "<= 0.5 USD per million completion tokens", "1"]
    ],
    [
      unpriced,
      { max_price: { completion: "1e9" } },
      ["max_price", "<= 1000000000 USD per million completion tokens", "unknown price"]
    ],
    ...(["request", "image"] as const).map(
      (part): [Candidate, Preferences, ReadonlyArray<string>] => [
        makeCandidate({ provider: "one", price: { [part]: "0.02" } }),
        { max_price: { [part]: "0.01" } },
        ["max_price", `<= 0.01 USD per ${part}`, "0.02"]
      ]
    ),
    [
      makeCandidate({ provider: "one", price: { audio: "0.02" } }),
      { max_price: { audio: "0.01" } },
      ["max_price", "<= 0.01 USD per audio unit", "0.02"]
    ],
    [
      makeCandidate({ provider: "one", contextLength: 99 }),
      {},
      ["context_length", "room for about 100 tokens", "99"]
    ]
  ]
  it.each(requested)("describe the violation %#", (candidate, preferences, [rule, ...facts]) => {
    assert.deepStrictEqual(findReasons(candidate, preferences), [[rule, "request", ...facts]])
  })

  it("accept a candidate that satisfies everything", () => {
    assert.deepStrictEqual(
      findReasons(
        best,
        {
          only: ["two"],
          ignore: ["one"],
          zdr: true,
          data_collection: "deny",
          enforce_distillable_text: true,
          quantizations: ["fp4"],
          require_parameters: true,
          max_price: { prompt: "0", completion: 0, request: "0", image: "0", audio: "0" }
        },
        [
          {
            source: "account",
            only: ["two/eu"],
            zdr: true,
            denyDataCollection: true,
            budgeted: true
          }
        ]
      ),
      []
    )
  })

  it("report every violation with its source, those above the request first", () => {
    const constraint: Constraint = {
      source: "account",
      only: ["two"],
      ignore: ["three"],
      zdr: true,
      denyDataCollection: true,
      budgeted: true
    }
    assert.deepStrictEqual(
      findReasons(unpriced, { only: ["one"], zdr: true }, [constraint]).map((reason) =>
        reason.slice(0, 2).join(" of ")
      ),
      [
        "only of account",
        "ignore of account",
        "zdr of account",
        "data_collection of account",
        "unknown_price of account",
        "only of request",
        "zdr of request"
      ]
    )
  })

  it("narrow the account's list by the request's, and never widen it", () => {
    const account: Constraint = { source: "account", only: ["one", "two"] }
    const passing = (preferences: Preferences) =>
      [one, best, unpriced]
        .filter((each) => findReasons(each, preferences, [account]).length === 0)
        .map(({ endpoint }) => endpoint.tag)
    assert.deepStrictEqual(passing({}), ["one", "two/eu"])
    assert.deepStrictEqual(passing({ only: ["two", "three"] }), ["two/eu"])
    assert.deepStrictEqual(passing({ only: ["three"] }), [])
    assert.deepStrictEqual(passing({ ignore: ["one"] }), ["two/eu"])
  })
})

/** Whether a prompt price per token passes under a cap per million. */
const passes = (price: string, cap: string | number) =>
  findReasons(makeCandidate({ provider: "one", price: { prompt: price } }), {
    max_price: { prompt: cap }
  }).length === 0

describe("max_price", () => {
  it.each([
    ["0.0000003", "0.3"],
    ["0.0000003", 0.3],
    ["0.0000003", 0.1 + 0.2],
    ["0.00000015", "0.15"],
    ["0.00000007", "0.07"],
    ["0.000000123456789", "0.123456789"],
    ["0.0000011", 1.1],
    ["0", "0"],
    ["1e-6", "1E0"]
  ])("lets a price of %s per token pass at a cap of %s per million", (price, cap) => {
    assert.isTrue(passes(price, cap))
  })

  it.each([
    ["0.0000003", "0.2999"],
    ["0.0000003", 0.2999],
    ["0.000000000000000001", "0"],
    ["1", 0.3]
  ])("stops a price of %s per token at a cap of %s per million", (price, cap) => {
    assert.isFalse(passes(price, cap))
  })

  it("accepts a price equal to the cap, and rejects one a millionth above it", () => {
    const digits = fc.bigInt({ min: 1n, max: 10n ** 15n })
    fc.assert(
      fc.property(digits, fc.nat(15), (digits, scale) => {
        const price = `${digits}e-${scale + 6}`
        const cap = `${digits}e-${scale}`
        assert.isTrue(passes(price, cap))
        assert.isTrue(passes(price, Number(cap)))
        assert.isFalse(passes(price, Number(cap) * (1 - 1e-6)))
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })
})
