/** What operators may do with a key. */
import { act, isAllowed, type Session } from "../../api/request.ts"
import { ActionButton } from "../../components/ActionButton.tsx"
import { FormButton } from "../../components/FormButton.tsx"
import { NewSecret } from "./CreateKey.tsx"
import { editKeyFields, explainLimit, type Key, toKeyPatch, toKeyValues } from "./keyForm.ts"

export interface KeyActionProps {
  readonly of: Key
  readonly session: Session
  readonly reload: () => void
}

export const KeyActions = (props: KeyActionProps) => (
  <div class="row-actions">
    {isAllowed(props.session, "keys") && <EditKey {...props} />}
    {isAllowed(props.session, "keys") && <Rotate {...props} />}
    <Disable {...props} />
    {isAllowed(props.session, "keys") && <Delete {...props} />}
  </div>
)

const toPath = ({ hash }: Key): string => `api/v1/keys/${encodeURIComponent(hash)}`
const describe = ({ label, name }: Key): string => `${name} (${label})`

const EditKey = ({
  label = "Edit",
  of: key,
  reload,
  session
}: KeyActionProps & { readonly label?: string }) => {
  const before = toKeyValues(key)
  const spent = key.limit === null ? undefined : key.limit - (key.limit_remaining ?? key.limit)
  return (
    <FormButton
      label={label}
      submit="Change key"
      about={describe(key)}
      fields={editKeyFields}
      initial={before}
      explain={(values) => explainLimit(values, spent)}
      run={async (values) => {
        await act<"keys.update">(session, "PATCH", toPath(key), toKeyPatch(before, values))
        return {
          text: "The key is changed.",
          undo: async () => {
            await act<"keys.update">(session, "PATCH", toPath(key), toKeyPatch(values, before))
            return "The key is as it was."
          }
        }
      }}
      onDone={reload}
    />
  )
}

const Rotate = ({ of: key, reload, session }: KeyActionProps) => (
  <FormButton
    label="Rotate"
    submit="Rotate key"
    about={describe(key)}
    isNew
    fields={[
      {
        name: "grace",
        label: "The former secret stays valid for",
        kind: "select",
        options: [
          ["0", "no time"],
          ["3600", "an hour"],
          ["86400", "a day"]
        ]
      }
    ]}
    initial={{ grace: "3600" }}
    explain={({ grace }) =>
      grace === "0"
        ? "Requests with the former secret are refused with 401 at once."
        : "The key gets a new secret. Its limits and figures stay; the former secret is refused with 401 after that time."
    }
    run={async ({ grace }) => {
      const path = `api/v1/signalbox/keys/${encodeURIComponent(key.hash)}/rotate`
      const { data, key: secret } = await act<"keys.rotate">(session, "POST", path, {
        grace_seconds: Number(grace)
      })
      return {
        text: "The key has a new secret.",
        more: <NewSecret hash={data.hash} secret={secret} />
      }
    }}
    onDone={reload}
  />
)

const Disable = ({ of: key, reload, session }: KeyActionProps) => {
  const set = async (disabled: boolean): Promise<string> => {
    await act<"keys.update">(session, "PATCH", toPath(key), { disabled })
    return disabled
      ? "From now on, requests with this key are refused."
      : "Requests with this key are served again."
  }
  return (
    <ActionButton
      label={key.disabled ? "Enable key" : "Disable key"}
      isDestructive={!key.disabled}
      about={describe(key)}
      run={async () => ({
        text: await set(!key.disabled),
        undo: () => set(key.disabled)
      })}
      onDone={reload}
    >
      {key.disabled
        ? "Requests with this key are served again."
        : "Every request with this key is refused with 401, until somebody enables it again. Requests in progress end normally."}
    </ActionButton>
  )
}

const Delete = ({ of: key, reload, session }: KeyActionProps) => (
  <ActionButton
    label="Delete key"
    isDestructive
    about={describe(key)}
    run={async () => {
      await act<"keys.delete">(session, "DELETE", toPath(key))
      return "The key is deleted."
    }}
    onDone={reload}
  >
    Every request with this key is refused with 401 from now on. Its records stay. This cannot be
    undone; to stop a key for a while, disable it.
  </ActionButton>
)
