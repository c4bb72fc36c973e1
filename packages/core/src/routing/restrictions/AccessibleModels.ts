/** What the restrictions of a caller leave of the models, whatever is asked of them. */
import * as Effect from "effect/Effect"
import type { Caller } from "../../auth/Caller.ts"
import { Credentials } from "../../byok/Credentials.ts"
import { Catalog } from "../../catalog/Catalog.ts"
import type { Model } from "../../catalog/Model.ts"
import { findByokExclusions } from "./ByokExclusions.ts"
import type { Candidate } from "../Candidate.ts"
import { type CapabilityQuery, makeCandidateCache } from "../CandidateCache.ts"
import { makeByokCandidates } from "../byokCandidates.ts"
import { buildHardRules, findRejectionReasons } from "../plan/hardRules.ts"
import * as Preferences from "../Preferences.ts"
import { makeRestrictionLoader } from "./RestrictionLoader.ts"

export const makeAccessibleModels = Effect.gen(function* () {
  const catalog = yield* Catalog
  const credentials = yield* Credentials
  const loadRestrictions = yield* makeRestrictionLoader
  const getCandidates = makeCandidateCache()

  return Effect.fnUntraced(function* (caller: Caller) {
    const { constraints } = yield* loadRestrictions(caller)
    const configuration = catalog.current()
    const usableCredentials = yield* credentials.listUsable(
      caller,
      configuration.models,
      configuration
    )
    const byokExclusions = findByokExclusions(usableCredentials)
    const rules = buildHardRules({
      ...(byokExclusions === undefined ? undefined : { byokExclusions }),
      models: [],
      preferences: Preferences.none,
      constraints,
      requirements: { parameters: [], inputTokens: 0, outputTokens: 0 }
    })
    const isAllowed = (candidate: Candidate) => findRejectionReasons(candidate, rules).length === 0
    return (model: Model) =>
      getCandidates(model, configuration, anyOperation).some(
        (candidate) =>
          isAllowed(candidate) ||
          makeByokCandidates(candidate, usableCredentials).some(({ candidate: copy }) =>
            isAllowed(copy)
          )
      )
  })
})

const anyOperation: CapabilityQuery = { operation: "anything", capability: () => undefined }
