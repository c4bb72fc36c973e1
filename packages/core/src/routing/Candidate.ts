/** One way to serve one request: an endpoint, and later the credential it would be called with. */
import type { Endpoint } from "../catalog/Endpoint.ts"
import { namesOf } from "./namesOf.ts"

export interface Candidate {
  /** Unique within a plan. */
  readonly id: string
  readonly endpoint: Endpoint
  /** The provider's display name, by which `only`, `ignore` and `order` may also call it. */
  readonly providerName: string
  /** What `only`, `ignore` and `order` may call it, in lower case. */
  readonly names: ReadonlyArray<string>
  /** Whether the model's author allows distillation. */
  readonly distillable: boolean
  /**
   * Parameters of which the upstream needs one to do the operation well; `require_parameters` insists
   * on it. Absent: it needs none.
   */
  readonly needsOneOf?: ReadonlyArray<string>
}

export const make = (config: Omit<Candidate, "id" | "names">): Candidate => ({
  ...config,
  id: config.endpoint.id,
  names: namesOf(config.endpoint, config.providerName)
})
