/** Caches the plans of usual requests, so that only the costs and the random draw are left for each request. */
import { type Candidate, isByok } from "../Candidate.ts"
import { none } from "../Preferences.ts"
import type { Requirements } from "../Requirements.ts"
import { makeRandom } from "./makeRandom.ts"
import { plan, type Plan, type PlanInput } from "./plan.ts"
import { isHealthy } from "./ranking/computePenalty.ts"
import { searchesUnasked } from "./rules/toolModelRules.ts"
import { estimateCost } from "./selectPrices.ts"
import { type Contender, drawByPrice, priceWeighted } from "./strategies/strategies.ts"

/** How many kinds of requests are remembered for the same restrictions, such as those with the same parameters. */
const maxKinds = 16

/**
 * Plans for one list of candidates, always as `plan` does. A request is usual if it has no preferences and no need of its own,
 * fits every candidate, and finds all of them healthy. Then its plan depends on nothing but its parameters, the restrictions
 * of its caller, the order of its costs, and the draw.
 */
export class PlanMemory {
  readonly #bounds: PlanBounds | undefined
  /** The kinds most recently made come first. */
  readonly #kinds = new WeakMap<PlanInput["constraints"], Array<PlanKind>>()

  constructor(candidates: ReadonlyArray<Candidate>) {
    this.#bounds = findPlanBounds(candidates)
  }

  /** `input` has the candidates of this memory. */
  plan(input: PlanInput): Plan {
    if (this.#bounds === undefined || !isUsual(input, this.#bounds)) return plan(input)
    const { constraints } = input
    const kinds = this.#kinds.get(constraints)
    if (kinds !== undefined) {
      for (const kind of kinds) if (kind.includes(input)) return kind.plan(input)
    }
    const made = plan(input)
    const kind = new PlanKind(input, made)
    if (kinds === undefined) this.#kinds.set(constraints, [kind])
    else if (kinds.unshift(kind) > maxKinds) kinds.pop()
    return made
  }
}

const isUsual = (input: PlanInput, bounds: PlanBounds): boolean => {
  const { affinity, byokExclusions, candidates, models, pin, preferences, requirements } = input
  const isPlain =
    preferences === none &&
    models.length === 1 &&
    affinity === undefined &&
    byokExclusions === undefined &&
    pin === undefined &&
    bounds.fits(requirements) &&
    !hasNeeds(requirements) &&
    (candidates.length === 1 || isDrawn(input))
  return isPlain && isAllHealthy(input)
}

/** Whether chance decides, by price, which of several goes first. */
const isDrawn = ({ defaultSort, models: [model], strategy }: PlanInput): boolean =>
  strategy === priceWeighted && defaultSort === undefined && model.variant === undefined

const hasNeeds = (requirements: Requirements): boolean =>
  requirements.tier !== undefined ||
  requirements.conditions !== undefined ||
  requirements.reasoningFamilies !== undefined ||
  requirements.signedBy !== undefined ||
  requirements.dialect !== undefined ||
  requirements.prefillAt !== undefined ||
  requirements.nativeFields !== undefined ||
  requirements.modelChoice !== undefined ||
  requirements.compressionFields !== undefined ||
  requirements.serverTools !== undefined ||
  requirements.toolModels !== undefined ||
  !isShort(requirements.parameters) ||
  !isShort(requirements.ignoredParameters)

/** Keeps callers from filling the memory with long lists. */
const isShort = (names: ReadonlyArray<string> = noNames): boolean => {
  if (names.length > 32) return false
  for (const { length } of names) if (length > 64) return false
  return true
}

const isAllHealthy = ({ candidates, health: { controls, endpoints } }: PlanInput): boolean => {
  if (controls !== undefined) return false
  for (const { id } of candidates) {
    const report = endpoints[id]
    if (report !== undefined && !isHealthy(report)) return false
  }
  return true
}

interface PricedContender extends Contender {
  /** Its place among the candidates. */
  readonly index: number
  /** Of the present request; overwritten by the next one. */
  cost: number
}

/** The plans of requests that differ in their sizes and in their draws alone. */
class PlanKind {
  readonly #models: PlanInput["models"]
  readonly #strategy: PlanInput["strategy"]
  readonly #defaultSort: PlanInput["defaultSort"]
  readonly #minSamples: number
  readonly #requirements: Requirements
  /** By cost, as it was for the last request. */
  #contenders: ReadonlyArray<PricedContender>
  /** For this order of the contenders, by the candidate that goes first. */
  readonly #plans = new Map<Candidate, Plan>()

  constructor(input: PlanInput, { ordered }: Plan) {
    this.#models = input.models
    this.#strategy = input.strategy
    this.#defaultSort = input.defaultSort
    this.#minSamples = input.minSamples
    this.#requirements = input.requirements
    this.#contenders = input.candidates
      .filter((candidate) => ordered.includes(candidate))
      .map((candidate, index) => ({ candidate, index, cost: 0 }))
  }

  includes(input: PlanInput): boolean {
    const { requirements } = input
    const known = this.#requirements
    return (
      input.models === this.#models &&
      input.strategy === this.#strategy &&
      input.defaultSort === this.#defaultSort &&
      input.minSamples === this.#minSamples &&
      isSame(requirements.parameters, known.parameters) &&
      isSame(requirements.ignoredParameters, known.ignoredParameters) &&
      isSame(requirements.preferredParameters, known.preferredParameters) &&
      isSame(requirements.mandatoryParameters, known.mandatoryParameters)
    )
  }

  plan(input: PlanInput): Plan {
    const first = this.#findFirst(input)
    const known = first && this.#plans.get(first)
    if (known !== undefined) return known
    const made = plan(input)
    if (first !== undefined) this.#plans.set(first, made)
    return made
  }

  /** Undefined: no candidate is left. */
  #findFirst({ requirements, seed }: PlanInput): Candidate | undefined {
    if (this.#contenders.length < 2) return this.#contenders[0]?.candidate
    for (const contender of this.#contenders) {
      contender.cost = estimateCost(contender.candidate, requirements)
    }
    // Most prices rise together with the size of a request, so that the order stays.
    if (!isSorted(this.#contenders)) {
      this.#contenders = this.#contenders.toSorted(compare)
      this.#plans.clear()
    }
    return (drawByPrice(this.#contenders, makeRandom(seed)()) ?? this.#contenders[0]!).candidate
  }
}

/** Of equal costs the candidate that comes first does so here, too. */
const compare = (one: PricedContender, other: PricedContender): number =>
  one.cost === other.cost ? one.index - other.index : one.cost < other.cost ? -1 : 1

const isSorted = (contenders: ReadonlyArray<PricedContender>): boolean => {
  for (let at = 1; at < contenders.length; at++) {
    if (compare(contenders[at - 1]!, contenders[at]!) > 0) return false
  }
  return true
}

const noNames: ReadonlyArray<string> = []

const isSame = (
  names: ReadonlyArray<string> = noNames,
  known: ReadonlyArray<string> = noNames
): boolean => {
  if (names === known) return true
  if (names.length !== known.length) return false
  for (let at = 0; at < names.length; at++) if (names[at] !== known[at]) return false
  return true
}

/** The least of the limits of all candidates, in tokens. */
class PlanBounds {
  readonly #contextLength: number
  readonly #maxPromptTokens: number
  readonly #maxCompletionTokens: number

  constructor(candidates: ReadonlyArray<Candidate>) {
    const endpoints = candidates.map(({ endpoint }) => endpoint)
    this.#contextLength = findLeast(endpoints.map(({ contextLength }) => contextLength))
    this.#maxPromptTokens = findLeast(endpoints.map(({ maxPromptTokens }) => maxPromptTokens))
    this.#maxCompletionTokens = findLeast(
      endpoints.map(({ maxCompletionTokens }) => maxCompletionTokens)
    )
  }

  fits({ inputTokens, outputTokens }: Requirements): boolean {
    return (
      inputTokens <= this.#maxPromptTokens &&
      inputTokens + outputTokens <= this.#contextLength &&
      outputTokens <= this.#maxCompletionTokens
    )
  }
}

const findLeast = (limits: ReadonlyArray<number | undefined>): number =>
  Math.min(...limits.map((limit = Infinity) => limit))

/**
 * Undefined where the size of a request may change more than its costs: with conditional prices, customers' own credentials,
 * and tools that a provider runs unasked.
 */
const findPlanBounds = (candidates: ReadonlyArray<Candidate>): PlanBounds | undefined =>
  candidates.length === 0 || candidates.some(isUnusual) ? undefined : new PlanBounds(candidates)

const isUnusual = (candidate: Candidate): boolean =>
  candidate.price.conditional !== undefined || isByok(candidate) || searchesUnasked(candidate)
