/** Credentials of providers that workspaces bring along. */
import type { OperationResponse } from "@signalbox/core/contract"
import { act, isAllowed, type Session } from "../../api/request.ts"
import { useApi } from "../../api/useApi.ts"
import { type Names, useNames } from "../../api/useNames.ts"
import { ActionButton } from "../../components/ActionButton.tsx"
import { Badge } from "../../components/Badge.tsx"
import { FormButton } from "../../components/FormButton.tsx"
import {
  type FormField,
  parseList,
  toPatch,
  toText,
  type Values
} from "../../components/FormField.ts"
import { ListSection } from "../../components/ListSection.tsx"
import { ReadOnlyNote } from "../../components/ReadOnlyNote.tsx"
import type { Column } from "../../components/Table.tsx"
import { Time } from "../../components/Time.tsx"
import type { PageProps } from "../../shell/Page.ts"

type Credential = OperationResponse<"byok.list">["data"][number]
type State = OperationResponse<"byok.listStates">["data"][number]

const path = "api/v1/byok"

export const ByokPage = ({ session }: PageProps) => {
  const names = useNames()
  const states = useApi<"byok.listStates">("api/v1/signalbox/byok", { limit: 100 })
  return (
    <ListSection<Credential>
      title="Own credentials"
      path={path}
      query={{ limit: 50 }}
      toKey={({ id }) => id}
      empty={
        <>
          There is no credential of your own. Add one with <code>POST /api/v1/byok</code>; requests
          then run on your account at the provider.
        </>
      }
      aside={(reload) =>
        isAllowed(session, "byok") && <Add session={session} names={names} reload={reload} />
      }
      columns={(reload) => makeColumns(session, names, states.data?.data ?? [], reload)}
    >
      <ReadOnlyNote session={session} group="byok" actions="add and change credentials" />
    </ListSection>
  )
}

const makeColumns = (
  session: Session,
  names: Names,
  states: ReadonlyArray<State>,
  reload: () => void
): ReadonlyArray<Column<Credential>> => [
  {
    title: "Credential",
    cell: ({ label, name, provider }) => (
      <>
        {provider}
        <br />
        <span class="muted small">
          {name} {label}
        </span>
      </>
    )
  },
  {
    title: "State",
    cell: ({ disabled, id }) => {
      const error = states.find((state) => state.id === id)?.last_error
      if (disabled) return <Badge tone="bad">disabled</Badge>
      return error === null || error === undefined ? (
        <Badge tone="good">active</Badge>
      ) : (
        <>
          <Badge tone="warn">refused by the provider</Badge> <Time at={error.at} />
        </>
      )
    }
  },
  {
    title: "Workspace",
    cell: ({ workspace_id: id }) => (id === null ? "all" : names.toWorkspaceName(id))
  },
  {
    title: "Used for",
    cell: ({ allowed_models: models, is_fallback: isFallback, is_required: isRequired }) =>
      [
        models === null ? "all models" : models.join(", "),
        isFallback ? "after the shared endpoints" : "before the shared endpoints",
        ...(isRequired ? ["never without it"] : [])
      ].join("; ")
  },
  { title: "Added", cell: ({ created_at }) => <Time at={created_at} /> },
  ...(isAllowed(session, "byok")
    ? [
        {
          title: "Action",
          cell: (credential: Credential) => (
            <div class="row-actions">
              <Edit of={credential} session={session} reload={reload} />
              <Delete of={credential} session={session} reload={reload} />
            </div>
          )
        }
      ]
    : [])
]

const editFields: ReadonlyArray<FormField> = [
  { name: "name", label: "Name", kind: "text" },
  {
    name: "allowed_models",
    label: "For the models",
    kind: "list",
    hint: "separated by commas; empty: all"
  },
  { name: "is_fallback", label: "Only after the shared endpoints", kind: "checkbox" },
  { name: "is_required", label: "Never without it", kind: "checkbox" },
  { name: "disabled", label: "Disabled", kind: "checkbox" },
  { name: "key", label: "New secret", kind: "secret", hint: "empty: it stays" }
]

const toValues = (credential: Credential): Values => ({
  name: credential.name,
  allowed_models: (credential.allowed_models ?? []).join(", "),
  is_fallback: toText(credential.is_fallback),
  is_required: toText(credential.is_required),
  disabled: toText(credential.disabled)
})

const toBody = (values: Values): object => {
  const models = parseList(values["allowed_models"])
  return {
    name: (values["name"] ?? "").trim(),
    allowed_models: models.length === 0 ? null : models,
    is_fallback: values["is_fallback"] === "true",
    is_required: values["is_required"] === "true",
    disabled: values["disabled"] === "true"
  }
}

const toPath = ({ id }: Credential): string => `${path}/${encodeURIComponent(id)}`

const Add = ({
  names: { workspaces },
  reload,
  session
}: {
  readonly names: Names
  readonly session: Session
  readonly reload: () => void
}) => {
  const providers = useApi<"providers.list">("api/v1/providers").data?.data ?? []
  return (
    <FormButton
      label="Add credential"
      about=""
      isNew
      fields={[
        {
          name: "provider",
          label: "Provider",
          kind: "text",
          isRequired: true,
          suggestions: providers.map(({ slug }) => slug)
        },
        { name: "key", label: "Secret", kind: "secret", isRequired: true },
        {
          name: "workspace_id",
          label: "Workspace",
          kind: "select",
          options: workspaces.map(({ id, name }) => [id, name] as const)
        },
        ...editFields.slice(0, -2)
      ]}
      initial={{ workspace_id: workspaces[0]?.id ?? "" }}
      explain={({ provider = "" }) =>
        `Requests of the workspace to ${provider} run on this credential; its owner pays for them there. The secret is stored encrypted and never shown.`
      }
      run={async (values) => {
        const { data } = await act<"byok.create">(session, "POST", path, {
          ...toBody(values),
          provider: values["provider"],
          key: values["key"],
          ...(values["workspace_id"] !== "" && { workspace_id: values["workspace_id"] })
        })
        return {
          text: "The credential is used from now on.",
          undo: async () => {
            await act<"byok.delete">(session, "DELETE", toPath(data))
            return "The credential is deleted again."
          }
        }
      }}
      onDone={reload}
    />
  )
}

interface CredentialActionProps {
  readonly of: Credential
  readonly session: Session
  readonly reload: () => void
}

const describe = ({ label, name, provider }: Credential): string =>
  [provider, name, label].filter((part) => part !== "").join(" ")

const Edit = ({ of: credential, reload, session }: CredentialActionProps) => {
  const before = toValues(credential)
  const body = toBody(before)
  return (
    <FormButton
      label="Edit"
      submit="Change credential"
      about={describe(credential)}
      fields={editFields}
      initial={before}
      explain={({ disabled, key = "" }) =>
        [
          disabled === "true"
            ? "It is not used; requests run on the shared endpoints, at the prices of the host."
            : "It holds for the next request.",
          ...(key === "" ? [] : ["The former secret cannot be shown or put back."])
        ].join(" ")
      }
      run={async (values) => {
        const { key = "" } = values
        const after = toBody(values)
        await act<"byok.update">(session, "PATCH", toPath(credential), {
          ...toPatch(body, after),
          ...(key !== "" && { key })
        })
        return {
          text: "The credential is changed.",
          ...(key === "" && {
            undo: async () => {
              await act(session, "PATCH", toPath(credential), toPatch(after, body))
              return "The credential is as it was."
            }
          })
        }
      }}
      onDone={reload}
    />
  )
}

const Delete = ({ of: credential, reload, session }: CredentialActionProps) => (
  <ActionButton
    label="Delete credential"
    isDestructive
    about={describe(credential)}
    run={async () => {
      await act<"byok.delete">(session, "DELETE", toPath(credential))
      return "The credential is deleted, with its secret."
    }}
    onDone={reload}
  >
    Requests run on the shared endpoints again, at the prices of the host; where the credential is
    required, they are refused. This cannot be undone.
  </ActionButton>
)
