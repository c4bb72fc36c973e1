/** What is right in a configuration, but probably not meant. */
import type { Options } from "@signalbox/core"
import {
  type Endpoint,
  isPriceKnown,
  makeConfiguration,
  type Model,
  type ModelConfig
} from "@signalbox/core/catalog"
import { Signalbox } from "@signalbox/node"
import { silent } from "../config/pickInnerOptions.ts"
import { count } from "../output/count.ts"
import type { Finding } from "./Finding.ts"
import type { UsedPrices } from "./UsedPrices.ts"
import type { NamedUpstream } from "./findModelMistakes.ts"

/** Finds warnings about models alone; `path` is the path of their list. */
export const findModelWarnings = (
  configs: ReadonlyArray<ModelConfig>,
  path: ReadonlyArray<string>,
  prices?: UsedPrices
): ReadonlyArray<Finding> =>
  makeConfigured(configs).models.flatMap((model, index) => {
    const at = [...path, index]
    return [
      ...(model.endpoints.length === 0
        ? [{ path: at, problem: `${model.id} has no endpoint, so it is only listed` }]
        : []),
      ...(model.endpoints.length > 0 &&
      !model.hidden &&
      model.contextLength === undefined &&
      model.video === undefined
        ? [
            {
              path: at,
              problem: `${model.id} states no contextLength, so lists show none, and no request is too long`
            }
          ]
        : []),
      ...model.endpoints.flatMap((endpoint, place) =>
        isPriceKnown(endpoint.price) ||
        endpoint.videoPrice !== undefined ||
        model.video !== undefined
          ? []
          : [
              {
                path: [...at, "endpoints", place, "price"],
                problem:
                  `a price of ${endpoint.id} is unknown, so it is not tried under max_price or a spending limit` +
                  describeUnlisted(endpoint, prices)
              }
            ]
      )
    ]
  })

/** Why the price book has no price of an endpoint that states none. */
const describeUnlisted = (
  { model, provider }: Endpoint,
  prices: UsedPrices | undefined
): string => {
  const unlisted = prices?.unlisted.find(
    (each) => each.model === model && each.provider === provider
  )
  return unlisted === undefined || prices === undefined
    ? ""
    : `: ${prices.book.name} has no "${unlisted.name}" of ${provider}; correct model, or state price`
}

/**
 * Finds warnings about options without mistakes. `options` make an instance; `given` are the options as the
 * configuration has them.
 */
export const findWarnings = async (
  options: Options,
  models: ReadonlyArray<ModelConfig>,
  given: Options,
  prices?: UsedPrices
): Promise<ReadonlyArray<Finding>> => {
  const configuration = makeConfigured(models)
  const isMissing = (name: unknown): boolean =>
    typeof name === "string" && configuration.resolve(name) === undefined
  const hasChoice = configuration.models.some(({ endpoints }) => endpoints.length > 1)
  const { defaultTextModel } = given.workspaceDefaults ?? {}
  const ids = new Set(models.map(({ id }) => id))
  return [
    // Without stores of its own, `serve` makes the first key.
    ...(given.stores !== undefined && given.keys === undefined && given.authenticate === undefined
      ? [
          {
            path: ["stores"],
            problem:
              "there are neither keys nor authenticate, so requests need a key that the stores already have, or $SIGNALBOX_MANAGEMENT_KEY"
          }
        ]
      : []),
    ...findModelWarnings(models, ["models"], prices),
    ...Object.keys(given.overlay ?? {})
      .filter((id) => !ids.has(id))
      .map((id) => ({
        path: ["overlay", id],
        problem: "there is no such model, so it does nothing"
      })),
    ...(isMissing(defaultTextModel)
      ? [
          {
            path: ["workspaceDefaults", "defaultTextModel"],
            problem: `there is no model "${defaultTextModel}"`
          }
        ]
      : []),
    ...(given.experiments ?? []).flatMap(({ match, to }, index) => [
      ...(isMissing(match.model)
        ? [
            {
              path: ["experiments", index, "match", "model"],
              problem: `there is no model "${match.model}", so nothing takes part`
            }
          ]
        : []),
      ...(isMissing(to)
        ? [{ path: ["experiments", index, "to"], problem: `there is no model "${to}" to try` }]
        : [])
    ]),
    ...(given.strategy === undefined || hasChoice
      ? []
      : [
          {
            path: ["strategy"],
            problem: `no model has two endpoints, so ${given.strategy.name} never chooses`
          }
        ]),
    ...(given.hedging === undefined || given.hedging === false || hasChoice
      ? []
      : [{ path: ["hedging"], problem: "no model has two endpoints, so no request is hedged" }]),
    ...(await findInstanceWarnings(options, configuration.models))
  ]
}

/** What an instance has to be asked. */
const findInstanceWarnings = async (
  options: Options,
  models: ReadonlyArray<Model>
): Promise<ReadonlyArray<Finding>> => {
  const instance = await Signalbox.make({ ...options, telemetry: silent })
  try {
    const { data } = await instance.providers.list()
    const used = new Set<string>(
      models.flatMap(({ endpoints }) => endpoints.map(({ provider }) => provider))
    )
    const unused = data.filter(({ slug }) => !used.has(slug))
    const warnings: Array<Finding> = unused.map(({ slug }) => ({
      path: ["upstreams"],
      problem: `no endpoint is at ${slug}`
    }))
    const served = models.filter(({ endpoints }) => endpoints.length > 0)
    for (const [index, { id }] of (options.accounts ?? []).entries()) {
      if (served.length === 0 || (await isServed(instance, id, served))) continue
      warnings.push({
        path: ["accounts", index],
        problem: `its restrictions exclude every endpoint of ${count(served.length, "model")}`
      })
    }
    return warnings
  } finally {
    await instance.close()
  }
}

const isServed = async (
  instance: Signalbox,
  account: string,
  models: ReadonlyArray<Model>
): Promise<boolean> => {
  for (const { id: model } of models) {
    for (const request of listRequests(model)) {
      // A model serves some kinds of requests, and refuses the others.
      const plan = await instance.explain(request, { caller: { account } }).catch(() => undefined)
      if (plan !== undefined && plan.ordered.length > 0) return true
    }
  }
  return false
}

const listRequests = (model: string) => [
  { model, messages: [{ role: "user", content: "?" }] } as const,
  { model, state: "", questions: { ok: { type: "noul", instructions: "?" } } } as const,
  { model, input: "?" },
  { model, query: "?", documents: ["?"] },
  { model, prompt: "?" }
]

/** The models are right, and so are their providers. */
const makeConfigured = (models: ReadonlyArray<ModelConfig>) => {
  const slugs = new Set(
    models.flatMap(({ endpoints = [] }) => endpoints.map(({ provider }) => provider))
  )
  const upstreams: ReadonlyArray<NamedUpstream> = Array.from(slugs, (slug) => ({
    slug,
    name: slug
  }))
  return makeConfiguration(1, upstreams, models)
}
