/** One way to serve one request: an endpoint, and later the credential it would be called with. */
import type { Endpoint } from "../catalog/Endpoint.ts"

export interface Candidate {
  /** Unique within a plan. */
  readonly id: string
  readonly endpoint: Endpoint
  /** The provider's display name, by which `only`, `ignore` and `order` may also call it. */
  readonly providerName: string
  /** Whether the model's author allows distillation. */
  readonly distillable: boolean
}
