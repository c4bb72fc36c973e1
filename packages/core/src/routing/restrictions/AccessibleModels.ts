/** Which models the restrictions of a caller leave, whatever the operation. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Caller } from "../../auth/Caller.ts"
import { Credentials } from "../../byok/Credentials.ts"
import { Catalog } from "../../catalog/Catalog.ts"
import type { Model } from "../../catalog/model/Model.ts"
import type { Candidate } from "../Candidate.ts"
import { CandidateCache, type CapabilityQuery } from "../CandidateCache.ts"
import { makeByokCandidates } from "../CandidateTarget.ts"
import { buildHardRules, findRejectionReasons } from "../plan/hardRules.ts"
import * as Preferences from "../Preferences.ts"
import { findByokExclusions } from "./ByokExclusions.ts"
import { RestrictionLoader } from "./RestrictionLoader.ts"

/** Finds the models a caller may use. */
export class AccessibleModels extends Context.Service<
  AccessibleModels,
  { readonly getFilter: (caller: Caller) => Effect.Effect<(model: Model) => boolean> }
>()("@signalbox/core/routing/restrictions/AccessibleModels") {
  static readonly layer = Layer.effect(
    AccessibleModels,
    Effect.gen(function* () {
      const catalog = yield* Catalog
      const credentials = yield* Credentials
      const candidates = yield* CandidateCache
      const restrictions = yield* RestrictionLoader

      return {
        getFilter: Effect.fnUntraced(function* (caller) {
          const { constraints } = yield* restrictions.load(caller)
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
          const isAllowed = (candidate: Candidate) =>
            findRejectionReasons(candidate, rules).length === 0
          return (model) =>
            candidates
              .get(model, configuration, anyOperation)
              .some(
                (candidate) =>
                  isAllowed(candidate) ||
                  makeByokCandidates(candidate, usableCredentials).some(({ candidate: copy }) =>
                    isAllowed(copy)
                  )
              )
        })
      }
    })
  )
}

const anyOperation: CapabilityQuery = { operation: "anything", capability: () => undefined }
