/** The dimensions of analytics, by the names of OpenRouter's API where it has them. */
import type { Dimension } from "../rollups/Dimension.ts"

export interface AnalyticsDimension {
  readonly name: string
  readonly label: string
  /** The dimension of rollups. */
  readonly reads: Dimension
  /** Whether it breaks down attempts; the others break down requests. */
  readonly isOfAttempts: boolean
  /** Whether requests may have no value. */
  readonly hasUnset: boolean
}

const ofRequests = { isOfAttempts: false, hasUnset: false }
const ofCallers = { isOfAttempts: false, hasUnset: true }
const ofAttempts = { isOfAttempts: true, hasUnset: false }

export const analyticsDimensions: ReadonlyArray<AnalyticsDimension> = [
  { name: "model", label: "Model", reads: "model", ...ofRequests },
  { name: "provider", label: "Provider", reads: "provider", ...ofAttempts },
  { name: "endpoint", label: "Endpoint", reads: "endpoint", ...ofAttempts },
  { name: "api_key_id", label: "API Key", reads: "key", ...ofCallers },
  { name: "external_user", label: "External User", reads: "user", ...ofCallers },
  { name: "workspace", label: "Workspace", reads: "workspace", ...ofRequests },
  { name: "operation", label: "Operation", reads: "operation", ...ofRequests },
  { name: "outcome", label: "Outcome", reads: "outcome", ...ofRequests }
]
