/**
 * The plan of a request, as a pure function: serving, dry runs and explanations all
 * call it. It has no I/O, no clock and no randomness of its own.
 */
import type * as Arr from "effect/Array"
import type { HealthSnapshot } from "../../engine/health/HealthSnapshot.ts"
import {
  type Affinity,
  applyAffinity,
  describeAffinity,
  type PlannedAffinity
} from "./affinity/Affinity.ts"
import { findHome } from "./affinity/findHome.ts"
import { filterByBreaker } from "./filterByBreaker.ts"
import { filterByControl } from "./filterByControl.ts"
import type { ByokExclusions, Constraint } from "../restrictions/Constraint.ts"
import type { Candidate } from "../Candidate.ts"
import type { RequestedModel, Requirements } from "../Requirements.ts"
import {
  type DroppedParameters,
  findDroppedParameters,
  preferSupporting,
  supportsParameter
} from "./findDroppedParameters.ts"
import { buildRequestRules, findRejectionReasons, findRestrictions } from "./hardRules.ts"
import { estimateCost, selectPrices } from "./selectPrices.ts"
import { preferRoom } from "./rules/capabilityRules.ts"
import { nonEmpty, type Preferences, type ProviderSort } from "../Preferences.ts"
import { makeRandom } from "./makeRandom.ts"
import {
  rankCandidates,
  byPriority,
  type RankedCandidate,
  makeSortKey,
  toCredentialPriority,
  applyStrategy
} from "./ranking/rankCandidates.ts"
import type { DemotedCandidate, RejectedCandidate } from "../Reason.ts"
import { makeSlugList } from "./SlugList.ts"
import { makeRouterSortKey } from "./ranking/makeRouterSortKey.ts"
import { computePenalty } from "./ranking/computePenalty.ts"
import { type Strategy, priceWeighted } from "./strategies/strategies.ts"
import { parseThresholds } from "./ranking/thresholds.ts"
import { type CandidateGroup, groupByModel } from "./groupCandidates.ts"

/** The order in which candidates are tried, and why the others are not. */
export interface Plan {
  readonly ordered: ReadonlyArray<Candidate>
  /** The candidates of `ordered` that were moved back, and why. */
  readonly demoted: ReadonlyArray<DemotedCandidate>
  readonly rejected: ReadonlyArray<RejectedCandidate>
  /** What ordered the candidates: `order`, `sort:...`, or the name of the strategy. */
  readonly strategy: string
  /** The error that the strategy threw, after which the cheapest candidate goes first. */
  readonly strategyDefect?: unknown
  /** Parameters that candidates of `ordered` are not sent; absent: none. */
  readonly dropped?: ReadonlyArray<DroppedParameters>
  /** Its breaker is open, but no other candidate is left: it is tried without claiming a probe. */
  readonly lastResort?: Candidate
  /** Where the conversation went, and where its key leads; absent: the input has no affinity, or an order. */
  readonly affinity?: PlannedAffinity
}

export interface PlanInput {
  /** The requested model and its fallbacks, in order. */
  readonly models: Arr.NonEmptyReadonlyArray<RequestedModel>
  readonly candidates: ReadonlyArray<Candidate>
  readonly preferences: Preferences
  readonly constraints: ReadonlyArray<Constraint>
  readonly requirements: Requirements
  readonly health: HealthSnapshot
  /** Samples below which a measurement neither ranks nor demotes. */
  readonly minSamples: number
  readonly seed: number
  readonly strategy: Strategy
  /** The sort for requests that set neither `sort` nor `order`. */
  readonly defaultSort?: ProviderSort | undefined
  /** The id of the only candidate that may serve, for work bound to one upstream. */
  readonly pin?: string | undefined
  /** Shared capacity that customers' own credentials exclude; absent: none. */
  readonly byokExclusions?: ByokExclusions | undefined
  /** The conversation that the request continues; absent: the strategy chooses anew. It has no say over an `order`. */
  readonly affinity?: Affinity | undefined
}

export const plan = (listed: PlanInput): Plan => {
  // Uses the time of the health snapshot, which a replay repeats.
  const { inputTokens } = listed.requirements
  const priced = selectPrices(listed.candidates, inputTokens, listed.health.at)
  const input = priced === listed.candidates ? listed : { ...listed, candidates: priced }
  const { requirements, health, minSamples, models, preferences, strategy } = input
  const random = makeRandom(input.seed)
  const rejected: Array<RejectedCandidate> = []
  const eligible = filterByControl(
    filterByRules(matchTierByProviderName(input), input, rejected),
    health,
    rejected
  )
  const { allowed, blocked, lastResort } = filterByBreaker(
    preferSupporting(preferRoom(eligible, requirements, rejected), requirements, rejected),
    health
  )
  rejected.push(...blocked)

  const signedBy = findReadSigner(requirements, allowed)
  const order = nonEmpty(preferences.order)
  const orderList = order === undefined ? undefined : makeSlugList(order)
  const thresholds = parseThresholds(preferences)
  const groups = groupByModel(
    allowed,
    models,
    preferences,
    order === undefined ? (findTierSort(requirements) ?? input.defaultSort) : undefined
  )
  const affinityKey = input.affinity?.key
  const rankGroup = (
    { candidates, router, sort }: CandidateGroup,
    group: number
  ): ReadonlyArray<RankedCandidate> => {
    const byCondition = order === undefined && sort === undefined
    const standing = { affinityKey, byCondition, health, minSamples, random, signedBy, thresholds }
    const toRequestedKey = makeSortKey(sort, candidates, health, minSamples)
    const toSortKey =
      router === undefined
        ? toRequestedKey
        : makeRouterSortKey(router, candidates, {
            seed: input.seed,
            toCost: (candidate) => estimateCost(candidate, requirements),
            ...(sort === undefined ? undefined : { toSortKey: toRequestedKey })
          })
    let isAllShared = true
    const ranked = candidates.map((candidate): RankedCandidate => {
      const penalty = computePenalty(candidate, standing)
      const credentialPriority = toCredentialPriority(candidate, health)
      isAllShared &&= credentialPriority === 0
      return {
        candidate,
        cost: estimateCost(candidate, requirements),
        group,
        credentialPriority,
        effectivePenalty: penalty.level,
        orderIndex: orderList?.indexOf(candidate) ?? rankByTier(candidate, requirements),
        sortKey: toSortKey(candidate),
        penalty
      }
    })
    return isAllShared ? ranked : byPriority(ranked)
  }
  const [only] = groups
  const candidates =
    groups.length === 1 && only !== undefined ? rankGroup(only, 0) : groups.flatMap(rankGroup)
  // A missed preference may promote another model's endpoint.
  let ranked = rankCandidates(candidates, thresholds.length > 0)
  let defect: { readonly strategyDefect: unknown } | undefined
  const onDefect = (strategyDefect: unknown): void => {
    defect = { strategyDefect }
  }
  const affinity = order === undefined ? input.affinity : undefined
  const home = affinity && findAffinityHome(affinity.key, groups, ranked, blocked, input)
  if (order === undefined) {
    for (let group = 0; group < groups.length; group++) {
      const isDrawn = groups[group]!.sort === undefined && groups[group]!.router === undefined
      const placed =
        affinity &&
        applyAffinity(ranked, group, affinity, isDrawn && strategy === priceWeighted, home)
      if (placed !== undefined) ranked = placed
      else if (isDrawn) {
        ranked = applyStrategy(ranked, { group, strategy, health, minSamples, random, onDefect })
      }
    }
  }
  const remaining = order === undefined ? keepBestOnly(ranked, preferences, rejected) : ranked
  const ordered = remaining.map(toCandidate)
  const dropped = findDroppedParameters(ordered, requirements)
  const made: { -readonly [K in keyof Plan]: Plan[K] } = {
    ordered,
    demoted: listDemoted(remaining),
    rejected,
    strategy: describeStrategy(order, groups[0], strategy, defect !== undefined)
  }
  if (affinity !== undefined) made.affinity = describeAffinity(affinity, ordered[0], home)
  return defect === undefined && dropped.length === 0 && lastResort === undefined
    ? made
    : {
        ...made,
        ...defect,
        ...(dropped.length === 0 ? undefined : { dropped }),
        ...(lastResort === undefined ? undefined : { lastResort })
      }
}

/** Undefined: the strategy draws, or a sort or a router decides. */
const findAffinityHome = (
  key: number,
  groups: ReadonlyArray<CandidateGroup>,
  ranked: ReadonlyArray<RankedCandidate>,
  blocked: ReadonlyArray<RejectedCandidate>,
  { models, requirements, strategy }: PlanInput
): string | undefined => {
  const [first] = groups
  const isRaced =
    first?.sort === undefined && first?.router === undefined && strategy === priceWeighted
  if (!isRaced) return undefined
  const onlyModel = groups.length === 1 ? undefined : models[0].id
  return findHome(ranked, blocked, requirements, key, onlyModel)
}

const toCandidate = ({ candidate }: RankedCandidate): Candidate => candidate

/** The candidates that pass all rules; the others join `rejected`. */
const filterByRules = (
  candidates: ReadonlyArray<Candidate>,
  input: PlanInput,
  rejected: Array<RejectedCandidate>
): ReadonlyArray<Candidate> => {
  const rules = buildRequestRules(input)
  const findRestrictionsOf =
    input.constraints.length === 0 ? undefined : findRestrictions(input.constraints)
  if (rules.length === 0 && findRestrictionsOf === undefined) return candidates
  const allowed: Array<Candidate> = []
  for (const candidate of candidates) {
    const restrictions = findRestrictionsOf?.(candidate) ?? noReasons
    const others = findRejectionReasons(candidate, rules)
    if (restrictions.length === 0 && others.length === 0) allowed.push(candidate)
    else rejected.push({ candidate, reasons: [...restrictions, ...others] })
  }
  return allowed
}

const noReasons: RejectedCandidate["reasons"] = []

const listDemoted = (ranked: ReadonlyArray<RankedCandidate>): ReadonlyArray<DemotedCandidate> =>
  ranked.some(isDemoted)
    ? ranked
        .filter(isDemoted)
        .map(({ candidate, penalty: { reasons } }) => ({ candidate, reasons }))
    : noneDemoted

const noneDemoted: ReadonlyArray<DemotedCandidate> = []

const isDemoted = ({ penalty }: RankedCandidate): boolean => penalty.reasons.length > 0

/** A requested service tier matches the provider's own names for it too. */
const matchTierByProviderName = ({
  candidates,
  requirements: { tier }
}: PlanInput): ReadonlyArray<Candidate> =>
  tier === undefined
    ? candidates
    : candidates.map((candidate) =>
        candidate.endpoint.tier === tier
          ? { ...candidate, names: candidate.providerNames }
          : candidate
      )

/** The family that signed the last answer, if an endpoint can read that. */
const findReadSigner = (
  { signedBy }: Requirements,
  candidates: ReadonlyArray<Candidate>
): string | undefined =>
  signedBy !== undefined && candidates.some(({ reasoningFamily }) => reasoningFamily === signedBy)
    ? signedBy
    : undefined

/** Endpoints that support the requested service tier come first. */
const rankByTier = ({ endpoint }: Candidate, { tier }: Requirements): number =>
  tier === undefined || supportsParameter(endpoint, "service_tier", tier) === true ? 0 : 1

/** A service tier implies the sort that it is bought for. */
const findTierSort = ({ tier }: Requirements): ProviderSort | undefined =>
  tier && ({ flex: "price", priority: "throughput" } as const)[tier]

/** `allow_fallbacks: false` without an `order` leaves the single best. */
const keepBestOnly = (
  ranked: ReadonlyArray<RankedCandidate>,
  { allow_fallbacks }: Preferences,
  rejected: Array<RejectedCandidate>
): ReadonlyArray<RankedCandidate> => {
  if (allow_fallbacks !== false) return ranked
  for (const { candidate } of ranked.slice(1)) {
    rejected.push({
      candidate,
      reasons: [
        {
          rule: "allow_fallbacks",
          source: "request",
          wanted: "the best endpoint only",
          found: candidate.endpoint.tag
        }
      ]
    })
  }
  return ranked.slice(0, 1)
}

const describeStrategy = (
  order: ReadonlyArray<string> | undefined,
  { router, sort }: Pick<CandidateGroup, "router" | "sort"> = { sort: undefined },
  { name }: Strategy,
  isBroken: boolean
): string => {
  if (order !== undefined) return "order"
  if (router !== undefined) return `router:${router.kind}`
  if (sort !== undefined) return `sort:${sort}`
  return isBroken ? `${name} (broken)` : name
}
