/** One way to serve a request: an endpoint, and the credential it would be called with. */
import type { Endpoint } from "../engine/catalog/endpoint/Endpoint.ts"
import type { Dialect } from "../conversation/Dialect.ts"
import type { Price } from "../engine/catalog/endpoint/Price.ts"

export interface Candidate {
  /** Unique within a plan. */
  readonly id: string
  readonly endpoint: Endpoint
  /** The price of this request here; for most operations the price of the endpoint. */
  readonly price: Price
  /** The operation stores data at the provider, even if the endpoint's policy says that it keeps nothing. */
  readonly retains?: true
  /** The provider's display name, which `only`, `ignore` and `order` accept too. */
  readonly providerName: string
  /** The names, in lower case, by which a list may ask for it. */
  readonly names: ReadonlyArray<string>
  /** The names by which `only` and `ignore` may restrict it; for a service tier they include its provider. */
  readonly providerNames: ReadonlyArray<string>
  /** The model's canonical slug, where it differs from its slug. */
  readonly canonicalModel?: string
  /** Whether the model's author allows distillation. */
  readonly distillable: boolean
  /**
   * Parameters, one of which the upstream needs to do the operation well; `require_parameters` insists on it. Absent:
   * it needs none.
   */
  readonly needsOneOf?: ReadonlyArray<string>
  /** The upstream supports a parameter or rejects the call, and never ignores it; absent: it may ignore it. */
  readonly checksParameters?: true
  /** Fields that are for the router, and that the upstream's server knows as well, such as `plugins`; absent: none. */
  readonly serverFields?: ReadonlyArray<string>
  /** Fields of a request that the upstream's API has no place for, so that they are left out; absent: none. */
  readonly omittedFields?: ReadonlyArray<string>
  /**
   * The family whose reasoning the upstream reads; reasoning of other families is left out of its requests. Absent: it
   * passes reasoning on as it is.
   */
  readonly reasoningFamily?: string
  /** The dialect that the upstream speaks to the provider; absent: OpenAI's chat dialect. */
  readonly dialect?: Dialect
  /** Its model refuses to continue the beginning of an answer; absent: it does not. */
  readonly refusesPrefill?: true
  /** What its model reads, as the catalog says; absent: text alone, or unknown. */
  readonly inputs?: ReadonlyArray<string>
  /** The efforts of reasoning that its model knows, as the catalog says; absent: it does not say. */
  readonly efforts?: ReadonlyArray<string>
  /** Other endpoints of its provider in the catalog, to price the model that served; absent: there are none. */
  readonly providerEndpoints?: ReadonlyMap<string, ReadonlyArray<Endpoint>>
  /** The customer's own credential for the call; absent: shared capacity, on the host's credential. */
  readonly credential?: CandidateCredential
}

/** The part of a customer's own credential that a plan needs; never its secret. */
export interface CandidateCredential {
  readonly id: string
  /** Tried after shared capacity, not before it. */
  readonly isFallback: boolean
  /** Smaller ones are tried first. */
  readonly sortOrder: number
  /** Whether its owner declares zero data retention; null: as the endpoint. */
  readonly declaredZdr: boolean | null
}

/**
 * The names by which a list may refer to an endpoint, in lower case. A base slug (`google-vertex`) includes every
 * variant and region, a full one (`google-vertex/us-east5`) only itself; clients also send display names
 * (`Google Vertex`). A service tier must be named in full.
 */
const listMatchingNames = (endpoint: Endpoint, providerName: string): ReadonlyArray<string> =>
  endpoint.tier === "default"
    ? listProviderNames(endpoint, providerName)
    : [endpoint.tag.toLowerCase()]

/** A restriction of a provider includes its service tiers. */
const listProviderNames = ({ tag }: Endpoint, providerName: string): ReadonlyArray<string> => {
  const parts = tag.toLowerCase().split("/")
  const slugs = parts.map((_, i) => parts.slice(0, parts.length - i).join("/"))
  return Array.from(new Set([...slugs, providerName.toLowerCase()]))
}

export const make = (
  config: Omit<Candidate, "id" | "price" | "names" | "providerNames" | "credential">
): Candidate => ({
  ...config,
  id: config.endpoint.id,
  price: config.endpoint.price,
  names: listMatchingNames(config.endpoint, config.providerName),
  providerNames: listProviderNames(config.endpoint, config.providerName)
})

/** The id of an endpoint, and of the customer's own credential if there is one. */
export const toCandidateId = (endpoint: string, credential: string | undefined): string =>
  credential === undefined ? endpoint : `${endpoint}#${credential}`

/** A copy of a shared candidate that is called with a customer's own credential. */
export const withCredential = (shared: Candidate, credential: CandidateCredential): Candidate => ({
  ...shared,
  id: toCandidateId(shared.endpoint.id, credential.id),
  credential
})

/** Whether the upstream's server knows a field of the router, by a path in it such as `plugins.1`. */
export const takesField = (
  { serverFields }: Pick<Candidate, "serverFields">,
  path: string
): boolean => serverFields?.includes(path.split(".", 1)[0] ?? "") === true

/** Whether the request runs on a customer's own credential there. */
export const isByok = ({ credential }: Candidate): boolean => credential !== undefined
