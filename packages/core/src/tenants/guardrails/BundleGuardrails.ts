/** The guardrails of bundles. */
import * as Context from "effect/Context"
import { memoize } from "effect/Function"
import { WorkspaceId } from "../../values/ids/Ids.ts"
import type { Caller } from "../auth/Caller.ts"
import * as Guardrail from "./Guardrail.ts"

/** What the guardrail of each bundle restricts, by the name of the bundle; default: none. */
export const BundleGuardrails: Context.Reference<ReadonlyMap<string, Guardrail.GuardrailPatch>> =
  Context.Reference<ReadonlyMap<string, Guardrail.GuardrailPatch>>(
    "@signalbox/core/tenants/guardrails/BundleGuardrails",
    { defaultValue: () => new Map() }
  )

/** The id in limits. It is the same in every bundle, so that a moved customer keeps what it has spent. */
export const toBundleGuardrailId = (workspace: string): string => `bundle ${workspace}`

/** What limits, alerts and plans call it. */
export const toBundleGuardrailName = (bundle: string): string => `bundle ${bundle}`

/** Whether a guardrail is that of a bundle, which no request of the API changes. */
export const isOfBundle = ({ id, workspace_id }: Guardrail.Guardrail): boolean =>
  id === toBundleGuardrailId(workspace_id)

/** Adds the guardrail of a caller's bundle to those of the stores. Memoized, because requests compare the lists. */
export const makeAddBundleGuardrail = (
  guardrails: ReadonlyMap<string, Guardrail.GuardrailPatch>
) => {
  const addTo = memoize(({ bundle, workspace }: Caller): AddGuardrail => {
    const config = bundle === undefined ? undefined : guardrails.get(bundle.name)
    if (bundle === undefined || config === undefined) return keep
    const origin = {
      id: toBundleGuardrailId(workspace),
      workspace: WorkspaceId.make(workspace),
      at: ""
    }
    const made = Guardrail.applyPatch(
      Guardrail.make(toBundleGuardrailName(bundle.name), origin),
      config,
      ""
    )
    return memoize((stored: ReadonlyArray<Guardrail.Guardrail>) => [...stored, made])
  })
  return (
    caller: Caller,
    stored: ReadonlyArray<Guardrail.Guardrail>
  ): ReadonlyArray<Guardrail.Guardrail> => addTo(caller)(stored)
}

type AddGuardrail = (
  stored: ReadonlyArray<Guardrail.Guardrail>
) => ReadonlyArray<Guardrail.Guardrail>

const keep: AddGuardrail = (stored) => stored
