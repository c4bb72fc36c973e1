/** Converts interns for the HTTP API and the audit log. */
import * as DateTime from "effect/DateTime"
import type { Intern } from "./Intern.ts"
import type { InternStatus } from "./InternStatus.ts"

/** An intern as the API returns it. */
export interface InternResponse {
  readonly id: string
  readonly workspace_id: string
  readonly name: string
  readonly description: string | null
  readonly instructions: string | null
  readonly model: string | null
  readonly status: InternStatus
  readonly progress: {
    readonly step_label: string
    readonly step_number: number
    readonly total_steps: number
  } | null
  readonly last_failure_message: string | null
  readonly hostname: string | null
  readonly vault_id: string | null
  readonly attached_vault_id: string | null
  /** ISO 8601. */
  readonly created_at: string
  readonly updated_at: string
}

export const toInternResponse = (intern: Intern): InternResponse => ({
  id: intern.id,
  workspace_id: intern.workspace,
  name: intern.name,
  description: intern.description,
  instructions: intern.instructions,
  model: intern.model,
  status: intern.status,
  progress:
    intern.progress === null
      ? null
      : {
          step_label: intern.progress.label,
          step_number: intern.progress.step,
          total_steps: intern.progress.steps
        },
  last_failure_message: intern.lastFailureMessage,
  hostname: intern.hostname,
  vault_id: intern.vault,
  attached_vault_id: intern.attachedVault,
  created_at: toIso(intern.createdAt),
  updated_at: toIso(intern.updatedAt)
})

const toIso = (millis: number): string => DateTime.formatIso(DateTime.makeUnsafe(millis))
