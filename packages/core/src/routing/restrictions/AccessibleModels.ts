/** Which models the restrictions of a caller leave, for all operations. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { Credentials } from "../../tenants/byok/Credentials.ts"
import { Catalog } from "../../engine/catalog/Catalog.ts"
import type { Model } from "../../engine/catalog/model/Model.ts"
import type { Candidate } from "../Candidate.ts"
import { CandidateCache, type CapabilityQuery } from "../CandidateCache.ts"
import { makeByokCandidates } from "../CandidateTarget.ts"
import { buildHardRules, findRejectionReasons } from "../plan/hardRules.ts"
import * as Preferences from "../Preferences.ts"
import { findByokExclusions } from "./Constraint.ts"
import { findNearestName } from "../../values/validation/findNearestName.ts"
import { RestrictionLoader } from "./RestrictionLoader.ts"

/** Finds the models a caller may use. */
export class AccessibleModels extends Context.Service<
  AccessibleModels,
  {
    readonly getFilter: (caller: Caller) => Effect.Effect<(model: Model) => boolean>
    /** The id of the listed model whose name is nearest, of those the caller may use; undefined when none is near. */
    readonly findNearest: (caller: Caller, name: string) => Effect.Effect<string | undefined>
  }
>()("@signalbox/core/routing/restrictions/AccessibleModels") {
  static readonly layer = Layer.effect(
    AccessibleModels,
    Effect.gen(function* () {
      const catalog = yield* Catalog
      const credentials = yield* Credentials
      const candidates = yield* CandidateCache
      const restrictions = yield* RestrictionLoader

      const getFilter = Effect.fnUntraced(function* (caller: Caller) {
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
        return (model: Model) =>
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

      return {
        getFilter,
        findNearest: Effect.fnUntraced(function* (caller, name) {
          const listed = catalog.current().models.filter(({ hidden }) => !hidden)
          // Most callers may use the nearest of all, so the others are not looked at.
          const nearest = findNearestName(name, listed.slice(0, maxCompared).map(toId))
          if (nearest === undefined) return undefined
          const mayUse = yield* getFilter(caller)
          const usable = listed.slice(0, maxCompared).filter(mayUse)
          return findNearestName(name, usable.map(toId))
        })
      }
    })
  )
}

/** A caller may send unknown names at any rate, and each comparison takes microseconds. */
const maxCompared = 2_000

const toId = ({ id }: Model): string => id

const anyOperation: CapabilityQuery = { operation: "anything", capability: () => undefined }
