/** Rules about which providers may serve: `only`, `ignore`, `order`, customers' own credentials, and a pin. */
import { type Candidate, isByok } from "../../Candidate.ts"
import { nonEmpty, type Preferences } from "../../Preferences.ts"
import type { ByokExclusions } from "../../restrictions/Constraint.ts"
import { makeSlugList } from "../SlugList.ts"
import { type HardRule, makeAllowRule, makeIgnoreRule, requestSource } from "./HardRule.ts"

const describe = ({ endpoint }: Candidate): string => endpoint.tag

export const makeListRules = (
  source: string,
  only: ReadonlyArray<string> | undefined,
  ignore: ReadonlyArray<string> | undefined
): ReadonlyArray<HardRule> => {
  const rules: Array<HardRule> = []
  if (only !== undefined) {
    const isListed = makeSlugList(only).hasProvider
    rules.push(makeAllowRule({ rule: "only", source, names: only, isListed, describe }))
  }
  if (ignore !== undefined && ignore.length > 0) {
    const isListed = makeSlugList(ignore).hasProvider
    rules.push(makeIgnoreRule({ rule: "ignore", source, names: ignore, isListed, describe }))
  }
  return rules
}

/** `allow_fallbacks: false` with an `order` allows only the listed providers. */
export const makeOrderOnlyRules = ({
  allow_fallbacks,
  order
}: Preferences): ReadonlyArray<HardRule> => {
  const names = nonEmpty(order)
  if (allow_fallbacks !== false || names === undefined) return []
  const isListed = makeSlugList(names).has
  return [
    makeAllowRule({ rule: "allow_fallbacks", source: requestSource, names, isListed, describe })
  ]
}

/** An excluded provider is skipped rather than paid for with the host's credential. */
export const makeByokRules = ({ only, required }: ByokExclusions): ReadonlyArray<HardRule> => [
  ...(only.size === 0
    ? []
    : [makeByokRule("byok_only", ({ endpoint }) => only.has(endpoint.provider.toLowerCase()))]),
  ...(required.size === 0
    ? []
    : [
        makeByokRule(
          "byok_required",
          ({ endpoint: { model, provider } }) =>
            required.get(provider.toLowerCase())?.has(model) === true
        )
      ])
]

const makeByokRule = (
  rule: "byok_only" | "byok_required",
  isExcluded: (candidate: Candidate) => boolean
): HardRule => ({
  rule,
  source: "credential",
  wanted: "a credential of the customer's own",
  findViolation: (candidate) =>
    isByok(candidate) || !isExcluded(candidate) ? undefined : "shared capacity"
})

/** Work that one candidate began is continued there. */
export const makePinRule = (pin: string): HardRule => ({
  rule: "pin",
  source: requestSource,
  wanted: pin,
  findViolation: ({ id }) => (id === pin ? undefined : id)
})
