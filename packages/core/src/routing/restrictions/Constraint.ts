import type { UsableCredential } from "../../tenants/byok/UsableCredential.ts"

/** A restriction set above the request, by the account or a guardrail. */
export interface Constraint {
  /** Who set the restriction, for reasons. */
  readonly source: string
  readonly only?: ReadonlyArray<string>
  readonly ignore?: ReadonlyArray<string>
  /** Slugs or canonical slugs of models; a base slug includes its variants. */
  readonly onlyModels?: ReadonlyArray<string>
  readonly ignoreModels?: ReadonlyArray<string>
  /** The regions in which endpoints may run. An endpoint without a region is excluded. */
  readonly regions?: ReadonlyArray<string>
  /** Answers are not stored for later requests. */
  readonly noStore?: true
  readonly zdr?: boolean
  /** Requires zero data retention for the models of these authors only. */
  readonly zdrAuthors?: ModelAuthors
  readonly denyDataCollection?: boolean
  /** Excludes free endpoints, paid endpoints or both that train on the data. */
  readonly denyTraining?: ReadonlyArray<"free" | "paid">
  /** Excludes free endpoints that keep data for purposes of their own, such as publishing it. */
  readonly denyFreeCollection?: boolean
  /** True: content of requests is kept; false: it never is. Absent: it says nothing about that. */
  readonly keepContent?: boolean
  /** Spending is limited, so endpoints of unknown price are excluded. */
  readonly budgeted?: boolean
  /** It has a spend limit of its own, which records mention and no rule checks. */
  readonly hasSpendLimit?: true
  /** Requests on customers' own credentials count as spending too. */
  readonly countsByok?: boolean
}

/** Authors of models, which are the part of a slug before the slash. */
export interface ModelAuthors {
  readonly authors: ReadonlyArray<string>
  /** Whether it means all authors except `authors`. */
  readonly isAllBut: boolean
}

/** Shared capacity that a customer's own credentials exclude, by `is_byok_only` and `is_required`. */
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
