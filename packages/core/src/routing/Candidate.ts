/** One way to serve one request: an endpoint, and the credential it would be called with. */
import type { Endpoint } from "../catalog/Endpoint.ts"
import type { Price } from "../catalog/Price.ts"
import { listMatchingNames, listProviderNames } from "./candidateNames.ts"

export interface Candidate {
  /** Unique within a plan. */
  readonly id: string
  readonly endpoint: Endpoint
  /** What it charges for what is asked: for most operations what the endpoint does. */
  readonly price: Price
  /** The operation leaves something at the provider, whatever the endpoint promises. */
  readonly retains?: true
  /** The provider's display name, by which `only`, `ignore` and `order` may also call it. */
  readonly providerName: string
  /** What a list may call it to ask for it, in lower case. */
  readonly names: ReadonlyArray<string>
  /** What `only` and `ignore` may call it to restrict it: for a service tier also its provider. */
  readonly providerNames: ReadonlyArray<string>
  /** What the catalog calls the model for good, where that is not its slug. */
  readonly canonicalModel?: string
  /** Whether the model's author allows distillation. */
  readonly distillable: boolean
  /**
   * Parameters of which the upstream needs one to do the operation well; `require_parameters` insists
   * on it. Absent: it needs none.
   */
  readonly needsOneOf?: ReadonlyArray<string>
  /** The upstream never ignores a parameter: it takes it or refuses the call; absent: it may. */
  readonly checksParameters?: true
  /** The customer's own credential it is called with; absent: shared capacity, on the host's. */
  readonly credential?: CandidateCredential
}

/** What a plan needs to know of a customer's own credential; never its secret. */
export interface CandidateCredential {
  readonly id: string
  /** Tried after shared capacity, not before it. */
  readonly isFallback: boolean
  /** Smaller ones are tried first. */
  readonly sortOrder: number
  /** What its owner says of its account; null: as the endpoint. */
  readonly declaredZdr: boolean | null
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

/** Of an endpoint, and of the customer's own credential it is called with. */
export const toCandidateId = (endpoint: string, credential: string | undefined): string =>
  credential === undefined ? endpoint : `${endpoint}#${credential}`

/** A copy of a shared candidate that is called with a customer's own credential. */
export const withCredential = (shared: Candidate, credential: CandidateCredential): Candidate => ({
  ...shared,
  id: toCandidateId(shared.endpoint.id, credential.id),
  credential
})

/** Whether the request runs on a customer's own credential there. */
export const isByok = ({ credential }: Candidate): boolean => credential !== undefined
