/** Decodes the bundles of the options, and checks what they name; loaded where there are any. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  BundleConfig,
  bundleFieldNames,
  toBundle,
  toBundleGuardrail
} from "./domains/customers/BundleConfig.ts"
import { Catalog } from "./engine/catalog/Catalog.ts"
import type { Configuration } from "./engine/catalog/Configuration.ts"
import type { Options } from "./Options.ts"
import { CurrentBundles } from "./tenants/auth/bundles/Bundle.ts"
import { ContentChecks } from "./routing/filters/ContentCheck.ts"
import { hasFilters } from "./tenants/guardrails/ContentFilter.ts"
import { BundleGuardrails } from "./tenants/guardrails/BundleGuardrails.ts"
import { checkFieldNames } from "./values/validation/checkFieldNames.ts"
import { isObject } from "./values/json/guards.ts"
import { decodeOption } from "./decodeOption.ts"
import { suggestNames } from "./values/validation/findNearestName.ts"

type Bundles = NonNullable<Options["bundles"]>

/** Throws a `RangeError` that names the bundle and the field at fault. */
export const layerDecodedBundles = (bundles: Bundles) => {
  const decoded = Object.entries(bundles).map(
    ([name, config]) => [name, decodeBundle(name, config)] as const
  )
  return Layer.mergeAll(
    Layer.succeed(
      CurrentBundles,
      new Map(decoded.map(([name, config]) => [name, toBundle(name, config)]))
    ),
    Layer.succeed(
      BundleGuardrails,
      new Map(
        decoded.flatMap(([name, config]) => {
          const guardrail = toBundleGuardrail(config)
          return guardrail === undefined ? [] : [[name, guardrail] as const]
        })
      )
    )
  )
}

const decodeBundle = (name: string, config: unknown): BundleConfig => {
  const option = `bundles.${name}`
  if (!namePattern.test(name)) {
    throw new RangeError(
      `bundles: ${JSON.stringify(name)} is no name; use up to 100 letters, digits, hyphens, dots and underscores`
    )
  }
  if (!isObject(config)) {
    throw new RangeError(`${option} must be an object such as { budget: { monthly: 20 } }`)
  }
  checkFieldNames(config, "field of a bundle", bundleFieldNames.bundle, `${option}: `)
  for (const part of ["budget", "guardrail"] as const) {
    const fields = config[part]
    if (!isObject(fields)) continue
    const named = `field of the ${part} of a bundle`
    checkFieldNames(fields, named, bundleFieldNames[part], `${option}.${part}: `)
  }
  const decoded = decodeOption(option, BundleConfig, config)
  const { limit_usd, reset_interval } = decoded.guardrail ?? {}
  if (typeof limit_usd === "number" && reset_interval === undefined) {
    throw new RangeError(
      `${option}.guardrail.reset_interval must be given together with limit_usd; null never resets`
    )
  }
  const budgets = toBundle(name, decoded).budgets
  const conflict = budgets.find(
    ({ limitUsd }, at) => at > 0 && limitUsd >= (budgets[at - 1]?.limitUsd ?? Infinity)
  )
  if (conflict !== undefined) {
    throw new RangeError(
      `${option}.budget.${conflict.interval} must be less than that of a longer interval`
    )
  }
  return decoded
}

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

/** Fails on filters and models that are not there. */
export const checkBundles = Effect.fnUntraced(function* ({
  bundles,
  models
}: {
  readonly bundles: Bundles
  readonly models: Options["models"]
}) {
  const checks = yield* ContentChecks
  for (const [name, { guardrail = {} }] of Object.entries(bundles)) {
    if (!hasFilters(guardrail)) continue
    const { findFilterProblem } = yield* Effect.promise(
      () => import("./routing/filters/findFilterProblem.ts")
    )
    const found = findFilterProblem(guardrail, checks)
    if (found !== undefined) {
      throw new RangeError(`bundles.${name}.guardrail.${found.path.join(".")} ${found.problem}`)
    }
  }
  const configuration = (yield* Catalog).current()
  for (const [name, { models: allowed = [] }] of Object.entries(bundles)) {
    const problem = findBundleModelProblem(configuration, allowed)
    if (problem === undefined) continue
    const message = `bundles.${name}.models.${problem}`
    // A source may lose a model at any time, and the host must still start.
    if (Array.isArray(models)) throw new RangeError(message)
    yield* Effect.logWarning(message)
  }
})

/**
 * Finds a model of a bundle that the catalog does not have, which would allow nothing. What it returns starts with
 * the position of the model.
 */
const findBundleModelProblem = (
  { models }: Configuration,
  allowed: ReadonlyArray<string>
): string | undefined => {
  const known = new Set(
    models.flatMap(({ card, id }) => [id, card.canonical_slug, toBase(id)].map(toLowerCase))
  )
  const authors = new Set(models.map(({ id }) => `${toAuthor(id).toLowerCase()}/*`))
  for (const [at, slug] of allowed.entries()) {
    const name = slug.toLowerCase()
    if (name.endsWith("/*") ? authors.has(name) : known.has(name)) continue
    const names = slug.endsWith("/*") ? Array.from(authors) : models.map(({ id }) => id)
    return `${at}: ${slug} is no model of this catalog; ${
      names.length === 0 ? "it is empty" : suggestNames(slug, names)
    }`
  }
  return undefined
}

const toLowerCase = (slug: string): string => slug.toLowerCase()

/** A base slug includes its variants. */
const toBase = (id: string): string => {
  const colon = id.lastIndexOf(":")
  return colon > 0 ? id.slice(0, colon) : id
}

const toAuthor = (id: string): string => id.slice(0, Math.max(0, id.indexOf("/")))
