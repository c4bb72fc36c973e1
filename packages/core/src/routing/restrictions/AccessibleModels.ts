/** Which models the restrictions of a caller leave, for all operations. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { Credentials } from "../../tenants/byok/Credentials.ts"
import { Catalog } from "../../engine/catalog/Catalog.ts"
import type { Configuration } from "../../engine/catalog/Configuration.ts"
import { splitVariant } from "../../engine/catalog/model/Variant.ts"
import type { Model } from "../../engine/catalog/model/Model.ts"
import type { Candidate } from "../Candidate.ts"
import { CandidateCache, type CapabilityQuery } from "../CandidateCache.ts"
import { makeByokCandidates } from "../CandidateTarget.ts"
import { buildHardRules, findRejectionReasons } from "../plan/hardRules.ts"
import * as Preferences from "../Preferences.ts"
import { findByokExclusions } from "./Constraint.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { findNearestName } from "../../values/validation/findNearestName.ts"
import { RestrictionLoader } from "./RestrictionLoader.ts"

/** What a caller may have meant. */
export interface ModelSuggestion {
  /** The id of the model with the nearest name. */
  readonly nearest?: string
  /** The ids of the models whose names differ in their suffix alone, which say more. */
  readonly siblings?: ReadonlyArray<string>
}

/** Finds the models a caller may use. */
export class AccessibleModels extends Context.Service<
  AccessibleModels,
  {
    readonly getFilter: (caller: Caller) => Effect.Effect<(model: Model) => boolean>
    /** What a caller may have meant by a name that no model has, of the listed models that it may use. */
    readonly suggest: (caller: Caller, name: string) => Effect.Effect<ModelSuggestion>
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
        const mayUse = (candidate: Candidate): boolean =>
          isAllowed(candidate) ||
          makeByokCandidates(candidate, usableCredentials).some(({ candidate: copy }) =>
            isAllowed(copy)
          )
        return (model: Model) => {
          const { router } = model
          return router === undefined
            ? candidates.get(model, configuration, anyOperation).some(mayUse)
            : router.models.some((each) =>
                candidates
                  .get(each, configuration, anyOperation)
                  .some(
                    (candidate) => router.endpoints.has(candidate.endpoint.id) && mayUse(candidate)
                  )
              )
        }
      })

      return {
        getFilter,
        suggest: Effect.fnUntraced(function* (caller, name) {
          const listed = catalog.current().models.filter(({ hidden }) => !hidden)
          // Most callers may use the nearest of all, so the others are not looked at.
          const compared = listed.slice(0, maxCompared)
          const nearest = findNearestName(name, compared.map(toId))
          const siblings = listSiblings(catalog.current(), listed, name)
          if (nearest === undefined && siblings.length === 0) return {}
          const mayUse = yield* getFilter(caller)
          const usable = siblings.filter(mayUse).map(toId)
          if (usable[0] !== undefined) {
            return name.includes(":") ? { siblings: usable } : { nearest: usable[0] }
          }
          return omitUndefined({
            nearest: findNearestName(name, compared.filter(mayUse).map(toId))
          })
        })
      }
    })
  )
}

/** Models whose names differ in their suffix alone. */
const listSiblings = (
  { resolve }: Configuration,
  listed: ReadonlyArray<Model>,
  name: string
): ReadonlyArray<Model> => {
  const colon = (splitVariant(name)?.base ?? name).lastIndexOf(":")
  const named = colon <= 0 ? name : name.slice(0, colon)
  const base = resolve(named)?.model.id ?? named
  return listed.filter(({ id }) => id === base || id.startsWith(`${base}:`)).slice(0, maxSiblings)
}

const maxSiblings = 8

/** A caller may send unknown names at any rate, and each comparison takes microseconds. */
const maxCompared = 2_000

const toId = ({ id }: Model): string => id

const anyOperation: CapabilityQuery = { operation: "anything", capability: () => undefined }
