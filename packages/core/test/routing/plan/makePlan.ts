/** Plans for tests, by default of `a/b`, healthy and cheapest first, and views of them. */
import type { Candidate } from "../../../src/routing/Candidate.ts"
import { plan, type Plan, type PlanInput } from "../../../src/routing/plan/plan.ts"
import type { Preferences } from "../../../src/routing/Preferences.ts"
import type { Reason } from "../../../src/routing/Reason.ts"
import type { Strategy } from "../../../src/routing/plan/strategies/strategies.ts"
import { ModelSlug } from "../../../src/values/ids/Ids.ts"
import { makeSnapshot } from "../makeReport.ts"

export const [ab, ac] = [ModelSlug.make("a/b"), ModelSlug.make("a/c")]

export const cheapest: Strategy = { name: "cheapest", first: ({ contenders }) => contenders[0]! }

export const makePlan = (
  candidates: ReadonlyArray<Candidate>,
  preferences: Preferences = {},
  rest: Partial<PlanInput> = {}
): Plan =>
  plan({
    models: [{ id: ab }],
    candidates,
    preferences,
    constraints: [],
    requirements: { parameters: [], inputTokens: 300, outputTokens: 100 },
    health: makeSnapshot(),
    minSamples: 10,
    seed: 1,
    strategy: cheapest,
    ...rest
  })

export const toTags = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<string> =>
  candidates.map(({ endpoint }) => endpoint.tag)

export const toSentence = ({ found, rule, source, wanted }: Reason): string =>
  `${rule} of ${source}: wanted ${wanted}, found ${found}`

/** All of a plan, with endpoints as tags and reasons as sentences. */
export const summarizePlan = ({ demoted, lastResort, ordered, rejected, strategy }: Plan) => ({
  strategy,
  ordered: toTags(ordered),
  demoted: groupByTag(demoted),
  rejected: groupByTag(rejected),
  ...(lastResort === undefined ? undefined : { lastResort: lastResort.endpoint.tag })
})

const groupByTag = (
  list: ReadonlyArray<{
    readonly candidate: Candidate
    readonly reasons: ReadonlyArray<Reason>
  }>
): Readonly<Record<string, ReadonlyArray<string>>> =>
  Object.fromEntries(
    list.map(({ candidate, reasons }) => [candidate.endpoint.tag, reasons.map(toSentence)])
  )
