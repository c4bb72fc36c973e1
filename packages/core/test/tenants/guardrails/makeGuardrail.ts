/** Guardrails for tests. */
import { make, type Guardrail } from "../../../src/tenants/guardrails/Guardrail.ts"
import { defaultWorkspaceId } from "../../../src/values/ids/Ids.ts"

/** Has only the given restrictions. */
export const makeGuardrail = (changes: Partial<Guardrail> = {}): Guardrail => ({
  ...make("made", {
    id: "guardrail",
    workspace: defaultWorkspaceId,
    at: "2026-01-01T00:00:00.000Z"
  }),
  ...changes
})
