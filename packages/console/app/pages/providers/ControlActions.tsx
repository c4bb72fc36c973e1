/** Drains, disables or weighs a provider, or puts it back; each says before what it would have done. */
import type { OperationResponse } from "@signalbox/core/contract"
import { useState } from "preact/hooks"
import { act, get, isAllowed, type Session } from "../../api/request.ts"
import { ActionButton } from "../../components/ActionButton.tsx"
import { Field } from "../../components/Field.tsx"
import { ReadOnlyNote } from "../../components/ReadOnlyNote.tsx"
import { Preview } from "./Preview.tsx"

const path = "api/v1/signalbox/traffic-controls"

type Control = OperationResponse<"live.listProviders">["data"][number]["control"]

export const ControlActions = ({
  control,
  name,
  reload,
  session,
  slug
}: {
  readonly control: Control
  readonly name: string
  readonly reload: () => void
  readonly session: Session
  readonly slug: string
}) => {
  const [weight, setWeight] = useState("0.5")
  if (!isAllowed(session, "traffic")) {
    return (
      <ReadOnlyNote
        session={session}
        group="traffic"
        actions="drain, disable and weigh providers"
      />
    )
  }
  const set = (wanted: Partial<Control> & { readonly reason?: string | null }) =>
    act<"traffic.setControl">(session, "PUT", path, { kind: "provider", id: slug, ...wanted })
  const toAction = (label: string, wanted: Partial<Control>, isDestructive = false) => (
    <ActionButton
      key={label}
      label={label}
      about={name}
      isDestructive={isDestructive}
      onDone={reload}
      run={async () => {
        const { data } = await get<"traffic.listControls">(path)
        const before = data.find(({ id, kind }) => kind === "provider" && id === slug)
        await set(wanted)
        return {
          text: "It holds in all processes within a second.",
          undo: async () => {
            const { reason = null, state = "active", weight = 1 } = before ?? {}
            await set({ state, weight, reason })
            return "It is as it was before."
          }
        }
      }}
    >
      <Preview change={{ kind: "provider", id: slug, ...wanted }} />
    </ActionButton>
  )
  const isInService = control.state === "active" && control.weight === 1
  return (
    <div class="controls">
      {isInService ? (
        <>
          {toAction("Drain", { state: "drained" })}
          {toAction("Disable", { state: "disabled" }, true)}
          <Field label="Weight">
            <input
              type="number"
              min="0"
              max="1"
              step="0.05"
              value={weight}
              onInput={({ currentTarget: { value } }) => setWeight(value)}
            />
          </Field>
          {toAction("Weigh", { weight: Math.min(1, Math.max(0, Number(weight) || 0)) })}
        </>
      ) : (
        toAction("Put back into service", {})
      )}
    </div>
  )
}
