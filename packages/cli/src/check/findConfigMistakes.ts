/** Every mistake of a configuration, by the checks that making an instance does, on its parts alone. */
import type { Options } from "@signalbox/core"
import { Catalog, checkOptions } from "@signalbox/core/adapter"
import {
  applyOverlay,
  completeModels,
  expandWildcards,
  type ModelConfig
} from "@signalbox/core/catalog"
import type { CatalogSource } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import * as Context from "effect/Context"
import { checkConfig } from "../config/checkConfig.ts"
import { pickInnerOptions, silent } from "../config/pickInnerOptions.ts"
import { isRecord } from "../models/readListing.ts"
import { findPriceBook, type UsedPrices } from "./UsedPrices.ts"
import { type Finding, findProblem, isolate, toProblem, trimPath } from "./Finding.ts"
import { findModelMistakes, findRouterMistakes, type NamedUpstream } from "./findModelMistakes.ts"

export interface CheckedOptions {
  readonly mistakes: ReadonlyArray<Finding>
  /** What was checked as a whole: without storage, destinations and other things that reach out. */
  readonly options: Options
  /** The models, read from their source if they have one, with the prices of the price book. */
  readonly models: ReadonlyArray<ModelConfig>
  /** Undefined: every endpoint states its price, or there are no others. */
  readonly prices: UsedPrices | undefined
}

type LoadModels = (source: CatalogSource) => Promise<unknown>

type Fields = Readonly<Record<string, unknown>>

/** `config` is the default export of a configuration. `loadModels` reads the models of a source. */
export const findConfigMistakes = async (
  config: unknown,
  loadModels: LoadModels
): Promise<CheckedOptions> => {
  if (!isRecord(config) || typeof config["then"] === "function") {
    const problem = findProblem(() => checkConfig(config)) ?? "it is no object"
    return { mistakes: [{ path: [], problem }], options: noOptions, models: [], prices: undefined }
  }
  const { server, ...fields } = config
  const kinds = findKindMistakes(fields)
  const right = omitWrong(fields, kinds)
  // Every field is of the kind that its option must be.
  const given = { ...noOptions, ...right } as Options
  const catalog = await findCatalogMistakes(given, loadModels)
  const options = pickInnerOptions({
    ...given,
    upstreams: catalog.upstreams,
    models: catalog.models,
    overlay: {}
  })
  return {
    mistakes: [
      ...kinds,
      ...findServerMistakes(server, given.stores),
      ...catalog.mistakes,
      ...(await findOptionMistakes(options))
    ],
    options,
    models: catalog.models,
    prices: catalog.prices
  }
}

/** Without what is wrong: a whole option, or an entry of it. */
const omitWrong = (fields: Fields, mistakes: ReadonlyArray<Finding>): Fields => {
  const omit = (from: Fields, below: ReadonlyArray<string>): Fields =>
    Object.fromEntries(
      Object.entries(from).flatMap(([name, value]) => {
        const isWrong = (path: Finding["path"]): boolean =>
          path.join("\n") === [...below, name].join("\n")
        if (mistakes.some(({ path }) => isWrong(path))) return []
        return [[name, name === "settings" && isRecord(value) ? omit(value, [name]) : value]]
      })
    )
  return omit(fields, [])
}

const noOptions = { upstreams: [], models: [] }

/** Options that are unknown, missing or of another kind. */
const findKindMistakes = (fields: Fields): ReadonlyArray<Finding> => {
  const required = { upstreams: fields["upstreams"], models: fields["models"] }
  return Object.entries({ ...fields, ...required }).flatMap(([name, value]) =>
    isolate(
      [name],
      () => checkOptions({ ...noOptions, [name]: value }),
      () =>
        name === "settings" && isRecord(value)
          ? Object.entries(value).flatMap(([setting, set]) =>
              isolate(
                [name, setting],
                () => checkOptions({ ...noOptions, settings: { [setting]: set } }),
                none
              )
            )
          : []
    )
  )
}

const findServerMistakes = (server: unknown, stores: Options["stores"]): ReadonlyArray<Finding> => {
  if (server === undefined) return []
  const check = (fields: unknown) => () =>
    checkConfig({
      ...noOptions,
      ...(stores === undefined ? undefined : { stores }),
      server: fields
    })
  return isolate(["server"], check(server), () =>
    isRecord(server)
      ? Object.entries(server).flatMap(([name, value]) =>
          isolate(["server", name], check({ [name]: value }), none)
        )
      : []
  )
}

interface CheckedCatalog {
  readonly mistakes: ReadonlyArray<Finding>
  readonly upstreams: Options["upstreams"]
  /** The models without mistakes, with the overlay. */
  readonly models: ReadonlyArray<ModelConfig>
  readonly prices: UsedPrices | undefined
}

const findCatalogMistakes = async (
  { models: given, overlay = {}, prices, upstreams }: Options,
  loadModels: LoadModels
): Promise<CheckedCatalog> => {
  const { mistakes, named, usable } = await checkUpstreams(upstreams)
  let models: unknown = given
  if ("load" in given) {
    try {
      models = await loadModels(given)
    } catch (error) {
      mistakes.push({ path: ["models"], problem: toProblem(error) })
      return { mistakes, upstreams: usable, models: [], prices: undefined }
    }
  }
  const list = Array.isArray(models) ? models : []
  const modelMistakes = findModelMistakes(list, named, ["models"])
  mistakes.push(...modelMistakes)
  const wrong = new Set(modelMistakes.map(({ path }) => path[1]))
  // The core has checked them.
  const right = list.filter((_, index) => !wrong.has(index)) as ReadonlyArray<ModelConfig>
  const book = await findPriceBook(prices, right, named)
  let overlaid = right
  mistakes.push(
    ...isolate(["models"], () => (overlaid = expandWildcards(right, named, book)), none)
  )
  const expanded = overlaid
  for (const [id, added] of Object.entries(overlay)) {
    const found = isolate(
      ["overlay", id],
      () => {
        const changed = applyOverlay(
          expanded.filter((model) => model.id === id),
          { [id]: added }
        )
        for (const { problem } of findModelMistakes(changed, named, []))
          throw new RangeError(problem)
      },
      none
    )
    mistakes.push(...found)
    if (found.length === 0) overlaid = applyOverlay(overlaid, { [id]: added })
  }
  const { models: complete, ...used } = completeModels(overlaid, named, book)
  mistakes.push(...findRouterMistakes(complete, named, ["models"]))
  return {
    mistakes,
    upstreams: usable,
    models: complete,
    prices: book === undefined ? undefined : { book, ...used }
  }
}

interface CheckedUpstreams {
  readonly mistakes: Array<Finding>
  readonly usable: Options["upstreams"]
  readonly named: ReadonlyArray<NamedUpstream>
}

/** If they are wrong, one after the other, because two of them may have one name. */
const checkUpstreams = async (upstreams: Options["upstreams"]): Promise<CheckedUpstreams> => {
  const all = await tryMake({ upstreams, models: [] })
  if (!("problem" in all)) return { mistakes: [], usable: upstreams, named: all.upstreams }
  const mistakes: Array<Finding> = []
  const usable: Array<Options["upstreams"][number]> = []
  let named: ReadonlyArray<NamedUpstream> = []
  for (const [index, upstream] of upstreams.entries()) {
    const made = await tryMake({ upstreams: [...usable, upstream], models: [] })
    if ("problem" in made) {
      const problem = made.problem.replace(/^upstreams\.\d+/, `upstreams.${index}`)
      mistakes.push({ path: ["upstreams", index], problem })
    } else {
      usable.push(upstream)
      named = made.upstreams
    }
  }
  return { mistakes, usable, named }
}

/** Parts that are checked alone: the entries of lists and objects. */
const findOptionMistakes = async (options: Options): Promise<ReadonlyArray<Finding>> => {
  const whole = await tryMake(options)
  if (!("problem" in whole)) return []
  const { models, sealing, upstreams, ...others } = options
  const found: Array<Finding> = []
  const isSealingWrong =
    sealing !== undefined && "problem" in (await tryMake({ ...noOptions, sealing }))
  const parts: Fields = { ...others, ...(sealing === undefined ? undefined : { sealing }) }
  for (const [name, value] of Object.entries(parts)) {
    if (name === "credentials" && isSealingWrong) continue
    const tryPart = (part: unknown) =>
      tryMake({
        upstreams,
        models: name === "experiments" || name === "bundles" ? models : [],
        ...(name === "credentials" && sealing !== undefined ? { sealing } : undefined),
        [name]: part
      })
    const made = await tryPart(value)
    if (!("problem" in made)) continue
    const before = found.length
    for (const [key, part] of listParts(name, value)) {
      const alone = await tryPart(part)
      if ("problem" in alone) found.push({ path: [name, key], problem: trimPath(alone.problem) })
    }
    if (found.length === before) found.push({ path: [name], problem: trimPath(made.problem) })
  }
  return found.length > 0 ? found : [{ path: [], problem: whole.problem }]
}

const listParts = (
  name: string,
  value: unknown
): ReadonlyArray<readonly [string | number, unknown]> => {
  if (undividedOptions.has(name)) return []
  if (Array.isArray(value)) return value.map((item: unknown, index) => [index, [item]])
  return isRecord(value) ? Object.entries(value).map(([key, part]) => [key, { [key]: part }]) : []
}

const undividedOptions: ReadonlySet<string> = new Set(["alerts", "interns", "sealing", "strategy"])

type Made = { readonly problem: string } | { readonly upstreams: ReadonlyArray<NamedUpstream> }

/** Makes an instance in the memory of this process, and closes it. */
const tryMake = async (options: Options): Promise<Made> => {
  try {
    const instance = await Signalbox.make({ ...options, telemetry: silent })
    try {
      const { upstreams } = Context.get(instance.context, Catalog).current()
      return { upstreams: [...upstreams.values()] }
    } finally {
      await instance.close()
    }
  } catch (error) {
    return { problem: toProblem(error) }
  }
}

const none = (): ReadonlyArray<Finding> => []
