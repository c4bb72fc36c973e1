/** What the server knows of an operation before it loads its part of the contract. */
import type { CallerRequirement } from "../../tenants/auth/permissions.ts"
import type { ErrorRules } from "../errors/toErrorResponse.ts"
import type { TimeLimit } from "./operationAnnotations.ts"

export interface OperationFacts {
  readonly group: string
  /** Unique in its group. */
  readonly name: string
  readonly method: string
  /** Path relative to the mount, with parameters as `:name`. */
  readonly path: `/${string}`
  readonly requiredCaller: CallerRequirement
  /** Status of a success, unless the handler returns a `Reply` with another. */
  readonly status: number
  /** Whether HTML form bodies are rejected first, because pages of any site can send them without CORS. */
  readonly refusesForms?: boolean
  readonly requiresInternAccess?: boolean
  /** Default: `never`. */
  readonly timeLimited?: TimeLimit
  /** Whether successful responses must not be cached. */
  readonly isSecret?: boolean
  readonly errorRules?: ErrorRules
}

/** Identifies an operation, such as `keys.list`. */
export const toOperationKey = ({ group, name }: Pick<OperationFacts, "group" | "name">): string =>
  `${group}.${name}`
