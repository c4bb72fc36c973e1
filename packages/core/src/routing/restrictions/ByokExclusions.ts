/** Shared capacity that a customer's own credentials exclude, by `is_byok_only` and `is_required`. */
import type { UsableCredential } from "../../tenants/byok/UsableCredential.ts"

export interface ByokExclusions {
  /** Providers, in lower case, whose models are all excluded. */
  readonly only: ReadonlySet<string>
  /** The ids of the excluded models, by provider in lower case. */
  readonly required: ReadonlyMap<string, ReadonlySet<string>>
}

/** Undefined when nothing is excluded. */
export const findByokExclusions = (
  usable: ReadonlyArray<UsableCredential>
): ByokExclusions | undefined => {
  let only: Set<string> | undefined
  let required: Map<string, Set<string>> | undefined
  for (const { credential, models } of usable) {
    if (credential.is_byok_only) (only ??= new Set()).add(credential.provider.toLowerCase())
    if (credential.is_required && models.size > 0) {
      required ??= new Map()
      const provider = credential.provider.toLowerCase()
      const requiredModels = required.get(provider) ?? new Set()
      for (const model of models) requiredModels.add(model)
      required.set(provider, requiredModels)
    }
  }
  return only === undefined && required === undefined
    ? undefined
    : { only: only ?? new Set(), required: required ?? new Map() }
}
