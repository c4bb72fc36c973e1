import * as Schema from "effect/Schema"
import { assert, describe, it } from "vitest"
import type { Candidate } from "../../../src/routing/Candidate.ts"
import type { PlanInput } from "../../../src/routing/plan/plan.ts"
import { Preferences } from "../../../src/routing/Preferences.ts"
import type { RequestedModel } from "../../../src/routing/Requirements.ts"
import type { Strategy } from "../../../src/routing/plan/strategies/strategies.ts"
import { makeCandidate, type CandidateConfig, makePricedCandidate } from "../makeCandidate.ts"
import { ab, ac, makePlan, summarizePlan } from "./makePlan.ts"
import { makeMeasuredReport, makeReport, makeSnapshot } from "../makeReport.ts"

type PlanSummary = ReturnType<typeof summarizePlan>

/** A strategy that differs from the order of every preference. */
const dearest: Strategy = { name: "dearest", first: ({ contenders }) => contenders.at(-1)! }

/** In USD per million tokens. */
const at = (provider: string, usd: number, rest: Partial<CandidateConfig> = {}) =>
  makeCandidate({ provider, price: price(usd), ...rest })
const price = (usd: number) => ({ prompt: `${usd}e-6`, completion: `${usd}e-6` })

const three = [
  makePricedCandidate("one", 1),
  makePricedCandidate("two", 2),
  makePricedCandidate("three", 3)
]
const each = (
  one: Partial<CandidateConfig>,
  two: Partial<CandidateConfig>,
  three: Partial<CandidateConfig>
) => [at("one", 1, one), at("two", 2, two), at("three", 3, three)]

interface Case {
  /** The field, and the special case of it. */
  readonly preference: readonly [field: keyof Preferences, note?: string]
  readonly preferences: Preferences
  readonly candidates?: ReadonlyArray<Candidate>
  readonly rest?: Partial<PlanInput>
  readonly plan: Partial<PlanSummary>
  /** The order without the preference; default: one, two, three. */
  readonly otherwise?: ReadonlyArray<string>
}

const data = (collects: boolean, trains: boolean, retains: boolean) => ({
  data: { collects, trains, retains }
})
const onePart = (part: "image" | "audio" | "request", usd: string) => ({
  price: { ...price(1), [part]: usd }
})
const supplying = (...parameters: ReadonlyArray<string>) => ({
  requirements: { parameters, inputTokens: 300, outputTokens: 100 }
})

const tail = (p50: number, p90: number) => ({ p50, p75: (p50 + p90) / 2, p90, p99: 2 * p90 })
/** Cheaper ones are slower, and the most expensive one has two requests. */
const speeds = {
  health: makeSnapshot({
    one: makeReport({
      samples: 212,
      latency: tail(1_500, 4_100),
      throughputSamples: 200,
      throughput: { p50: 60, p75: 50, p90: 20, p99: 5 }
    }),
    two: makeReport({
      samples: 100,
      latency: tail(900, 1_000),
      throughputSamples: 90,
      throughput: { p50: 80, p75: 70, p90: 60, p99: 50 }
    }),
    three: makeReport({
      samples: 2,
      latency: tail(9_000, 9_000),
      throughputSamples: 2,
      throughput: { p50: 1, p75: 1, p90: 1, p99: 1 }
    })
  })
}

/** A strategy in the opposite order, so that a sort always changes the plan. */
const sorting = {
  strategy: dearest,
  health: makeSnapshot({
    one: {
      ...makeMeasuredReport({ latency: 500, throughput: 30 }),
      answers: { valid: 97, invalid: 3 }
    },
    two: {
      ...makeMeasuredReport({ latency: 700, throughput: 90 }),
      answers: { valid: 98, invalid: 2 }
    },
    three: {
      ...makeMeasuredReport({ latency: 300, throughput: 60 }),
      answers: { valid: 96, invalid: 4 }
    }
  })
}
const drawn = ["three", "one", "two"]

const twoModels = {
  models: [{ id: ab }, { id: ac }] as const,
  health: makeSnapshot({
    "a/b@one": makeMeasuredReport({ latency: 700, throughput: 70 }),
    "a/b@two": makeMeasuredReport({ latency: 500, throughput: 50 }),
    "a/c@three": makeMeasuredReport({ latency: 600, throughput: 80 }),
    "a/c@four": makeMeasuredReport({ latency: 400, throughput: 60 })
  })
}
const ofTwoModels = [
  at("one", 3),
  at("two", 4),
  at("three", 1, { of: ac }),
  at("four", 2, { of: ac })
]

const cases: ReadonlyArray<Case> = [
  {
    preference: ["allow_fallbacks"],
    preferences: { allow_fallbacks: false },
    plan: {
      ordered: ["one"],
      rejected: {
        two: ["allow_fallbacks of request: wanted the best endpoint only, found two"],
        three: ["allow_fallbacks of request: wanted the best endpoint only, found three"]
      }
    }
  },
  {
    preference: ["allow_fallbacks", "with an order"],
    preferences: { allow_fallbacks: false, order: ["three", "two"] },
    plan: {
      strategy: "order",
      ordered: ["three", "two"],
      rejected: { one: ["allow_fallbacks of request: wanted one of three, two, found one"] }
    },
    otherwise: ["three", "two", "one"]
  },
  {
    preference: ["data_collection"],
    preferences: { data_collection: "deny" },
    candidates: each(data(true, false, false), data(false, true, false), data(false, false, true)),
    plan: {
      ordered: ["three"],
      rejected: {
        one: ["data_collection of request: wanted no data collection, found collects data"],
        two: ["data_collection of request: wanted no data collection, found trains on data"]
      }
    }
  },
  {
    preference: ["enforce_distillable_text"],
    preferences: { enforce_distillable_text: true },
    candidates: each({}, { distillable: true }, { distillable: true }),
    plan: {
      ordered: ["two", "three"],
      rejected: {
        one: [
          "distillable of request: wanted a model whose author allows distillation, found not distillable"
        ]
      }
    }
  },
  {
    preference: ["ignore"],
    preferences: { ignore: ["One", "unlisted"] },
    plan: {
      ordered: ["two", "three"],
      rejected: { one: ["ignore of request: wanted none of One, unlisted, found one"] }
    }
  },
  {
    preference: ["only"],
    preferences: { only: ["three", "two"] },
    plan: {
      ordered: ["two", "three"],
      rejected: { one: ["only of request: wanted one of three, two, found one"] }
    }
  },
  {
    preference: ["order"],
    preferences: { order: ["three", "one"] },
    plan: { strategy: "order", ordered: ["three", "one", "two"] }
  },
  {
    preference: ["max_price", "of the prompt"],
    preferences: { max_price: { prompt: "2" } },
    plan: {
      ordered: ["one", "two"],
      rejected: {
        three: ["max_price of request: wanted <= 2 USD per million prompt tokens, found 3"]
      }
    }
  },
  {
    preference: ["max_price", "of the completion"],
    preferences: { max_price: { completion: 1.5 } },
    plan: {
      ordered: ["one"],
      rejected: {
        two: ["max_price of request: wanted <= 1.5 USD per million completion tokens, found 2"],
        three: ["max_price of request: wanted <= 1.5 USD per million completion tokens, found 3"]
      }
    }
  },
  {
    preference: ["max_price", "where a price is unknown"],
    preferences: { max_price: { prompt: "1000" } },
    candidates: [makePricedCandidate("one", 1), makePricedCandidate("two", undefined)],
    plan: {
      ordered: ["one"],
      rejected: {
        two: [
          "max_price of request: wanted <= 1000 USD per million prompt tokens, found unknown price"
        ]
      }
    },
    otherwise: ["one", "two"]
  },
  ...(
    [
      ["image", "USD per image"],
      ["audio", "USD per audio unit"],
      ["request", "USD per request"]
    ] as const
  ).map(([part, unit]): Case => ({
    preference: ["max_price", `per ${part}`],
    preferences: { max_price: { [part]: "0.01" } },
    candidates: each({}, onePart(part, "0.01"), onePart(part, "0.02")),
    plan: {
      ordered: ["one", "two"],
      rejected: { three: [`max_price of request: wanted <= 0.01 ${unit}, found 0.02`] }
    }
  })),
  {
    preference: ["preferred_max_latency", "as a number"],
    preferences: { preferred_max_latency: 1 },
    rest: speeds,
    plan: {
      ordered: ["two", "three", "one"],
      demoted: {
        one: [
          "preferred_max_latency of request: wanted p50 latency <= 1 s, found 1.5 s over 212 samples"
        ]
      }
    }
  },
  {
    preference: ["preferred_max_latency", "as percentiles"],
    preferences: { preferred_max_latency: { p50: 2, p75: null, p90: 2 } },
    rest: speeds,
    plan: {
      ordered: ["two", "three", "one"],
      demoted: {
        one: [
          "preferred_max_latency of request: wanted p90 latency <= 2 s, found 4.1 s over 212 samples"
        ]
      }
    }
  },
  {
    preference: ["preferred_min_throughput", "as a number"],
    preferences: { preferred_min_throughput: 70 },
    rest: speeds,
    plan: {
      ordered: ["two", "three", "one"],
      demoted: {
        one: [
          "preferred_min_throughput of request: wanted p50 throughput >= 70 tokens/s, found 60 tokens/s over 200 samples"
        ]
      }
    }
  },
  {
    preference: ["preferred_min_throughput", "as percentiles"],
    preferences: { preferred_min_throughput: { p50: 50, p90: 25, p99: 10 } },
    rest: speeds,
    plan: {
      ordered: ["two", "three", "one"],
      demoted: {
        one: [
          "preferred_min_throughput of request: wanted p90 throughput >= 25 tokens/s, found 20 tokens/s over 200 samples",
          "preferred_min_throughput of request: wanted p99 throughput >= 10 tokens/s, found 5 tokens/s over 200 samples"
        ]
      }
    }
  },
  {
    preference: ["preferred_max_latency", "where another model is faster"],
    preferences: { preferred_max_latency: 0.55 },
    candidates: ofTwoModels,
    rest: twoModels,
    plan: {
      ordered: ["two", "four", "one", "three"],
      demoted: {
        one: [
          "preferred_max_latency of request: wanted p50 latency <= 0.55 s, found 0.7 s over 100 samples"
        ],
        three: [
          "preferred_max_latency of request: wanted p50 latency <= 0.55 s, found 0.6 s over 100 samples"
        ]
      }
    },
    otherwise: ["one", "two", "three", "four"]
  },
  {
    preference: ["quantizations"],
    preferences: { quantizations: ["fp4", "bf16"] },
    candidates: each({ quantization: "fp8" }, { quantization: "nvfp4" }, {}),
    plan: {
      ordered: ["two"],
      rejected: {
        one: ["quantization of request: wanted one of fp4, bf16, found fp8"],
        three: ["quantization of request: wanted one of fp4, bf16, found unknown"]
      }
    }
  },
  {
    preference: ["require_parameters"],
    preferences: { require_parameters: true },
    candidates: each(
      { supportedParameters: ["tools"] },
      { supportedParameters: ["seed", "tools", "top_k"] },
      {}
    ),
    rest: supplying("seed", "tools"),
    plan: {
      ordered: ["two"],
      rejected: {
        one: ["require_parameters of request: wanted seed, tools, found without seed"],
        three: [
          "require_parameters of request: wanted seed, tools, found unknown whether it supports seed, tools"
        ]
      }
    }
  },
  {
    preference: ["require_parameters", "where one of several will do"],
    preferences: { require_parameters: true },
    candidates: each(
      { needsOneOf: ["logprobs", "structured_outputs"] },
      {
        needsOneOf: ["logprobs", "structured_outputs"],
        supportedParameters: ["structured_outputs"]
      },
      {}
    ),
    plan: {
      ordered: ["two", "three"],
      rejected: {
        one: [
          "require_parameters of request: wanted what the operation needs, found unknown whether it supports logprobs or structured_outputs"
        ]
      }
    }
  },
  ...(
    [
      ["price", ["one", "two", "three"]],
      ["throughput", ["two", "three", "one"]],
      ["latency", ["three", "one", "two"]],
      ["exacto", ["two", "one", "three"]]
    ] as const
  ).map(([sort, ordered]): Case => ({
    preference: ["sort", `by ${sort}`],
    preferences: { sort },
    rest: sorting,
    plan: { strategy: `sort:${sort}`, ordered },
    otherwise: drawn
  })),
  {
    preference: ["sort", "as an object"],
    preferences: { sort: { by: "throughput" } },
    rest: sorting,
    plan: { strategy: "sort:throughput", ordered: ["two", "three", "one"] },
    otherwise: drawn
  },
  ...(
    [
      [{ by: "price", partition: "none" }, ["three", "four", "one", "two"]],
      [{ by: "latency", partition: "none" }, ["four", "two", "three", "one"]],
      [{ by: "throughput", partition: "none" }, ["three", "one", "four", "two"]],
      [{ by: "latency", partition: "model" }, ["two", "one", "four", "three"]],
      [{ by: "latency", partition: null }, ["two", "one", "four", "three"]],
      [{ by: "latency" }, ["two", "one", "four", "three"]]
    ] as const
  ).map(([sort, ordered]): Case => ({
    preference: ["sort", `over two models, as ${JSON.stringify(sort)}`],
    preferences: { sort },
    candidates: ofTwoModels,
    rest: twoModels,
    plan: { strategy: `sort:${sort.by}`, ordered },
    otherwise: ["one", "two", "three", "four"]
  })),
  {
    preference: ["sort", "that says only that models are not kept apart"],
    preferences: { sort: { by: null, partition: "none" } },
    candidates: ofTwoModels,
    rest: twoModels,
    plan: { ordered: ["three", "four", "one", "two"] },
    otherwise: ["one", "two", "three", "four"]
  },
  {
    preference: ["zdr"],
    preferences: { zdr: true },
    candidates: each(
      data(false, false, true),
      { ...data(false, false, true), zdr: true },
      {
        ...data(false, false, false)
      }
    ),
    plan: {
      ordered: ["two", "three"],
      rejected: { one: ["zdr of request: wanted zero data retention, found retains data"] }
    }
  }
]

/** No draw, no demotion and no rejection, unless the case has one. */
const whole = ({ plan, rest }: Case): PlanSummary => ({
  strategy: rest?.strategy?.name ?? "cheapest",
  ordered: [],
  demoted: {},
  rejected: {},
  ...plan
})

const isNullable: Readonly<Record<keyof Preferences, boolean>> = {
  allow_fallbacks: true,
  data_collection: true,
  enforce_distillable_text: true,
  hedge: true,
  ignore: true,
  max_price: false,
  only: true,
  order: true,
  preferred_max_latency: true,
  preferred_min_throughput: true,
  quantizations: true,
  require_parameters: true,
  sort: true,
  zdr: true
}

const decoded = Schema.decodeUnknownOption(Preferences)

describe("a preference changes the plan, and explains how:", () => {
  it.each(cases.map((each) => [each.preference.join(" "), each] as const))("%s", (_, each) => {
    const {
      preference,
      candidates = three,
      otherwise = ["one", "two", "three"],
      preferences,
      rest
    } = each
    assert.deepStrictEqual(summarizePlan(makePlan(candidates, preferences, rest)), whole(each))

    const { [preference[0]]: _removed, ...others } = preferences
    const without = makePlan(candidates, others, rest)
    assert.deepStrictEqual(summarizePlan(without).ordered, otherwise)
    assert.deepStrictEqual(summarizePlan(without).rejected, {})
    assert.deepStrictEqual(summarizePlan(without).demoted, {})
    assert.notDeepEqual(summarizePlan(without), whole(each))
    if (isNullable[preference[0]]) {
      assert.deepStrictEqual(
        makePlan(candidates, { ...others, [preference[0]]: null }, rest),
        without
      )
    }
  })

  it("covers every preference", () => {
    const tried = new Set(cases.map(({ preference: [field] }) => field))
    // A second attempt is decided while the first one lasts.
    assert.sameMembers([...tried, "hedge"], Object.keys(isNullable))
    assert.sameMembers(Object.keys(Preferences.fields), Object.keys(isNullable))
    for (const [field, nullable] of Object.entries(isNullable)) {
      assert.strictEqual(decoded({ [field]: null })._tag, nullable ? "Some" : "None", field)
    }
  })

  it("a null part counts as absent", () => {
    const empty: ReadonlyArray<Preferences> = [
      { preferred_max_latency: { p50: null, p75: null, p90: null, p99: null } },
      { preferred_max_latency: {} },
      { preferred_min_throughput: { p50: null, p75: null, p90: null, p99: null } },
      { preferred_min_throughput: {} },
      { sort: { by: null, partition: null } },
      { max_price: {} }
    ]
    for (const preferences of empty) {
      assert.deepStrictEqual(makePlan(three, preferences, speeds), makePlan(three, {}, speeds))
    }
  })
})

const outOfTier = (tag: string) => [
  `tier of request: wanted no service tier that was not asked for, found ${tag}`
]

it("shows a price without the digits that its conversion adds", () => {
  const { rejected } = summarizePlan(makePlan([at("dear", 0.8)], { max_price: { prompt: "0.5" } }))
  assert.deepStrictEqual(rejected["dear"], [
    "max_price of request: wanted <= 0.5 USD per million prompt tokens, found 0.8"
  ])
})

describe("other parts of a request change the plan too:", () => {
  const tiers = [
    at("std", 4),
    at("fast", 5, { variant: "priority" }),
    at("slow", 1, { variant: "flex" }),
    at("other", 3)
  ]
  const rest = {
    health: makeSnapshot({
      std: { ...makeMeasuredReport({ throughput: 40 }), answers: { valid: 100, invalid: 0 } },
      "fast/priority": {
        ...makeMeasuredReport({ throughput: 90 }),
        answers: { valid: 90, invalid: 10 }
      },
      "slow/flex": {
        ...makeMeasuredReport({ throughput: 10 }),
        answers: { valid: 95, invalid: 5 }
      },
      other: { ...makeMeasuredReport({ throughput: 50 }), answers: { valid: 97, invalid: 3 } }
    })
  }
  const ask = (preferences: Preferences, model: Omit<RequestedModel, "id"> = {}) =>
    summarizePlan(makePlan(tiers, preferences, { ...rest, models: [{ id: ab, ...model }] }))

  it("a tier is admitted by its full name only", () => {
    const neither = {
      "fast/priority": outOfTier("fast/priority"),
      "slow/flex": outOfTier("slow/flex")
    }
    assert.deepStrictEqual(ask({}), {
      strategy: "cheapest",
      ordered: ["other", "std"],
      demoted: {},
      rejected: neither
    })
    assert.deepStrictEqual(ask({ order: ["slow"] }).rejected, neither)
    assert.deepStrictEqual(ask({ order: ["slow/flex", "std"] }), {
      strategy: "order",
      ordered: ["slow/flex", "std", "other"],
      demoted: {},
      rejected: { "fast/priority": outOfTier("fast/priority") }
    })
    assert.deepStrictEqual(ask({ only: ["fast/priority", "other"] }).ordered, [
      "other",
      "fast/priority"
    ])
    const account = { source: "account", only: ["slow/flex", "std"] }
    assert.deepStrictEqual(
      summarizePlan(makePlan(tiers, {}, { ...rest, constraints: [account] })).ordered,
      ["slow/flex", "std"]
    )
  })

  it("a restriction includes the service tiers of a provider, even if the request names them", () => {
    const floor = { variant: "floor" } as const
    assert.deepStrictEqual(ask({ only: ["slow", "std"] }, floor).ordered, ["slow/flex", "std"])
    assert.deepStrictEqual(ask({ only: ["slow", "std"] }).ordered, ["std"])
    assert.deepStrictEqual(ask({ ignore: ["slow"] }, floor).ordered, ["other", "std"])
    assert.deepStrictEqual(ask({ ignore: ["slow"], order: ["slow/flex"] }).ordered, [
      "other",
      "std"
    ])
  })

  it(":nitro sorts by throughput and admits the priority tier", () => {
    assert.deepStrictEqual(ask({}, { variant: "nitro" }), {
      strategy: "sort:throughput",
      ordered: ["fast/priority", "other", "std"],
      demoted: {},
      rejected: { "slow/flex": outOfTier("slow/flex") }
    })
  })

  it(":floor sorts by price and admits the flex tier", () => {
    assert.deepStrictEqual(ask({}, { variant: "floor" }), {
      strategy: "sort:price",
      ordered: ["slow/flex", "other", "std"],
      demoted: {},
      rejected: { "fast/priority": outOfTier("fast/priority") }
    })
  })

  it(":exacto sorts by valid answers and admits no tier", () => {
    const { ordered, rejected, strategy } = ask({}, { variant: "exacto" })
    assert.strictEqual(strategy, "sort:exacto")
    assert.deepStrictEqual(ordered, ["std", "other"])
    assert.sameMembers(Object.keys(rejected), ["fast/priority", "slow/flex"])
  })

  it("a sort overrides that of a variant, which still admits its tier; an order overrides both", () => {
    assert.deepStrictEqual(ask({ sort: "price" }, { variant: "nitro" }).ordered, [
      "other",
      "std",
      "fast/priority"
    ])
    assert.deepStrictEqual(ask({ sort: "price" }, { variant: "exacto" }).strategy, "sort:price")
    for (const variant of ["nitro", "floor"] as const) {
      const { ordered, strategy } = ask({ order: ["std"] }, { variant })
      assert.strictEqual(strategy, "order")
      assert.strictEqual(ordered[0], "std")
      assert.lengthOf(ordered, 2)
      assert.include(ask({ order: [] }, { variant }).strategy, "sort:")
    }
  })

  const withTier = (tier: "flex" | "priority", ...preferred: ReadonlyArray<string>) => ({
    ...rest,
    requirements: {
      parameters: ["service_tier"],
      preferredParameters: preferred,
      inputTokens: 3,
      outputTokens: 1,
      tier
    }
  })

  describe("a requested service tier", () => {
    const flex = withTier("flex", "service_tier")

    it("flex leaves only its own endpoints, cheapest first", () => {
      const { ordered, rejected, strategy } = summarizePlan(makePlan(tiers, {}, flex))
      assert.deepStrictEqual(
        { ordered, strategy },
        { ordered: ["slow/flex"], strategy: "sort:price" }
      )
      assert.deepStrictEqual(rejected["fast/priority"], outOfTier("fast/priority"))
      assert.deepStrictEqual(rejected["std"], [
        "preferred_parameters of request: wanted service_tier, which other endpoints of the model take, found unknown whether it supports service_tier"
      ])
    })

    it("is dropped when no endpoint of the model has it", () => {
      const without = tiers.filter(({ endpoint: { tier } }) => tier !== "flex")
      assert.deepStrictEqual(summarizePlan(makePlan(without, {}, flex)).ordered, ["other", "std"])
    })

    it("priority comes first, and the others by throughput", () => {
      const { ordered, strategy } = summarizePlan(makePlan(tiers, {}, withTier("priority")))
      assert.strictEqual(strategy, "sort:throughput")
      assert.deepStrictEqual(ordered, ["fast/priority", "other", "std"])
      const cheap = summarizePlan(makePlan(tiers, { sort: "price" }, withTier("priority")))
      assert.deepStrictEqual(cheap.ordered, ["fast/priority", "other", "std"])
    })

    it("includes the provider's own slug in any list", () => {
      const { ordered } = summarizePlan(
        makePlan(tiers, { order: ["slow"], allow_fallbacks: false }, { ...flex })
      )
      assert.deepStrictEqual(ordered, ["slow/flex"])
      const order = summarizePlan(makePlan(tiers, { order: ["std", "fast"] }, withTier("priority")))
      assert.deepStrictEqual(order.ordered, ["std", "fast/priority", "other"])
    })

    it("is a parameter that its endpoints support", () => {
      const { ordered } = summarizePlan(
        makePlan(tiers, { require_parameters: true }, withTier("priority"))
      )
      assert.deepStrictEqual(ordered, ["fast/priority"])
    })
  })

  it("each model keeps its own variant", () => {
    const both = [
      ...tiers,
      at("far", 2, { of: ac }),
      at("near", 3, { of: ac }),
      at("near", 1, { of: ac, variant: "flex" })
    ]
    const models = [
      { id: ab, variant: "nitro" },
      { id: ac, variant: "floor" }
    ] as const
    assert.deepStrictEqual(summarizePlan(makePlan(both, {}, { ...rest, models })), {
      strategy: "sort:throughput",
      ordered: ["fast/priority", "other", "std", "near/flex", "far", "near"],
      demoted: {},
      rejected: { "slow/flex": outOfTier("slow/flex") }
    })
  })

  it("a model named twice keeps the variant it was named with first", () => {
    const models = [{ id: ab, variant: "floor" }, { id: ac }, { id: ab, variant: "nitro" }] as const
    assert.deepStrictEqual(summarizePlan(makePlan(tiers, {}, { ...rest, models })).ordered, [
      "slow/flex",
      "other",
      "std"
    ])
  })

  it("a pin leaves one candidate", () => {
    assert.deepStrictEqual(summarizePlan(makePlan(three, {}, { pin: "a/b@two" })), {
      strategy: "cheapest",
      ordered: ["two"],
      demoted: {},
      rejected: {
        one: ["pin of request: wanted a/b@two, found a/b@one"],
        three: ["pin of request: wanted a/b@two, found a/b@three"]
      }
    })
  })

  it("endpoints that are too short for the answer or the request are rejected", () => {
    const short = each(
      { maxCompletionTokens: 99 },
      { contextLength: 399 },
      { maxPromptTokens: 299 }
    )
    const exact = at("four", 4, {
      maxCompletionTokens: 100,
      contextLength: 400,
      maxPromptTokens: 300
    })
    assert.deepStrictEqual(summarizePlan(makePlan([...short, exact])), {
      strategy: "cheapest",
      ordered: ["four"],
      demoted: {},
      rejected: {
        one: ["max_completion_tokens of request: wanted an answer of 100 tokens, found 99"],
        two: ["context_length of request: wanted room for about 400 tokens, found 399"],
        three: [
          "context_length of request: wanted room for about 400 tokens, found 299 tokens of prompt"
        ]
      }
    })
  })
})
