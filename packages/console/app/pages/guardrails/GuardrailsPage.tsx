/** Guardrails, and whom they bind. */
import { act, isAllowed, type Session } from "../../api/request.ts"
import { useApi } from "../../api/useApi.ts"
import { type Names, useNames } from "../../api/useNames.ts"
import { ActionButton } from "../../components/ActionButton.tsx"
import { FormButton } from "../../components/FormButton.tsx"
import { ListSection } from "../../components/ListSection.tsx"
import { Money } from "../../components/Money.tsx"
import { ReadOnlyNote } from "../../components/ReadOnlyNote.tsx"
import type { Column } from "../../components/Table.tsx"
import type { PageProps } from "../../shell/Page.ts"
import { Assign, Assigned } from "./Assign.tsx"
import {
  type Assignments,
  type Guardrail,
  type GuardrailActionProps,
  guardrailFields,
  toGuardrailBody,
  toGuardrailPatch,
  toGuardrailValues
} from "./guardrailForm.ts"

export const GuardrailsPage = ({ session }: PageProps) => {
  const names = useNames()
  const path = "api/v1/guardrails/assignments"
  const keys = useApi<"guardrails.listAllKeyAssignments">(`${path}/keys`, { limit: 100 })
  const members = useApi<"guardrails.listAllMemberAssignments">(`${path}/members`, { limit: 100 })
  const assignments = { keys: keys.data?.data ?? [], members: members.data?.data ?? [] }
  const reloadAll = (reload: () => void) => () => {
    reload()
    keys.reload()
    members.reload()
  }
  return (
    <ListSection<Guardrail>
      title="Guardrails"
      path="api/v1/guardrails"
      query={{ limit: 50 }}
      toKey={({ id }) => id}
      empty={
        <>
          There is no guardrail. Create one with <code>POST /api/v1/guardrails</code>; it binds the
          keys and members that it is assigned to.
        </>
      }
      aside={(reload) =>
        isAllowed(session, "guardrails") && (
          <Create session={session} names={names} reload={reload} />
        )
      }
      columns={(reload) => makeColumns(session, names, assignments, reloadAll(reload))}
    >
      <ReadOnlyNote
        session={session}
        group="guardrails"
        actions="create, change and assign guardrails"
      />
    </ListSection>
  )
}

const makeColumns = (
  session: Session,
  names: Names,
  assignments: Assignments,
  reload: () => void
): ReadonlyArray<Column<Guardrail>> => [
  { title: "Guardrail", cell: ({ id, name }) => <span title={id}>{name}</span> },
  { title: "Workspace", cell: ({ workspace_id: id }) => names.toWorkspaceName(id) },
  { title: "Restricts", cell: (guardrail) => <Restrictions of={guardrail} /> },
  {
    title: "Limit",
    cell: ({ limit_usd: limit, reset_interval: reset, soft_limit: isSoft }) =>
      limit === undefined || limit === null ? (
        <span class="muted">none</span>
      ) : (
        <>
          <Money usd={limit} /> {reset ?? "in total"}
          {isSoft === true && <span class="muted small"> only warns</span>}
        </>
      )
  },
  {
    title: "Assigned to",
    cell: (guardrail) => (
      <Assigned of={guardrail} assignments={assignments} session={session} reload={reload} />
    )
  },
  ...(isAllowed(session, "guardrails")
    ? [
        {
          title: "Action",
          cell: (guardrail: Guardrail) => (
            <div class="row-actions">
              <Edit of={guardrail} session={session} reload={reload} />
              <Assign of={guardrail} names={names} session={session} reload={reload} />
              <Delete of={guardrail} session={session} reload={reload} />
            </div>
          )
        }
      ]
    : [])
]

const Restrictions = ({ of: guardrail }: { readonly of: Guardrail }) => {
  const parts = [
    ["only models", guardrail.allowed_models],
    ["no models", guardrail.ignored_models],
    ["only providers", guardrail.allowed_providers],
    ["no providers", guardrail.ignored_providers]
  ] as const
  const texts = parts.flatMap(([title, names]) =>
    names === null || names.length === 0 ? [] : [`${title} ${names.join(", ")}`]
  )
  if (guardrail.enforce_zdr === true) texts.push("zero data retention")
  if (guardrail.enforce_no_store === true) texts.push("no cache of responses")
  return texts.length === 0 ? <span class="muted">nothing</span> : <>{texts.join("; ")}</>
}

const Create = ({
  names: { workspaces },
  reload,
  session
}: {
  readonly names: Names
  readonly session: Session
  readonly reload: () => void
}) => (
  <FormButton
    label="Create guardrail"
    about=""
    isNew
    fields={[
      {
        name: "workspace_id",
        label: "Workspace",
        kind: "select",
        options: workspaces.map(({ id, name }) => [id, name] as const)
      },
      ...guardrailFields
    ]}
    initial={{ workspace_id: workspaces[0]?.id ?? "" }}
    explain={() => "It has no effect until it is assigned to a key or a member."}
    run={async (values) => {
      const { data } = await act<"guardrails.create">(session, "POST", "api/v1/guardrails", {
        ...toGuardrailBody(values),
        ...(values["workspace_id"] !== "" && { workspace_id: values["workspace_id"] })
      })
      return {
        text: "The guardrail is made; assign it next.",
        undo: async () => {
          await act<"guardrails.delete">(session, "DELETE", toPath(data))
          return "The guardrail is deleted again."
        }
      }
    }}
    onDone={reload}
  />
)

const toPath = ({ id }: Guardrail): string => `api/v1/guardrails/${encodeURIComponent(id)}`

const Edit = ({ of: guardrail, reload, session }: GuardrailActionProps) => {
  const before = toGuardrailValues(guardrail)
  return (
    <FormButton
      label="Edit"
      submit="Change guardrail"
      about={guardrail.name}
      fields={guardrailFields}
      initial={before}
      explain={() =>
        "It holds for the next request of each key and member that it is assigned to. Requests that it forbids are refused with 403 or 404, those beyond its limit with 402."
      }
      run={async (values) => {
        const path = toPath(guardrail)
        await act<"guardrails.update">(session, "PATCH", path, toGuardrailPatch(before, values))
        return {
          text: "The guardrail is changed.",
          undo: async () => {
            await act(session, "PATCH", path, toGuardrailPatch(values, before))
            return "The guardrail is as it was."
          }
        }
      }}
      onDone={reload}
    />
  )
}

const Delete = ({ of: guardrail, reload, session }: GuardrailActionProps) => (
  <ActionButton
    label="Delete guardrail"
    isDestructive
    about={guardrail.name}
    run={async () => {
      await act<"guardrails.delete">(session, "DELETE", toPath(guardrail))
      return "The guardrail is deleted, with its assignments."
    }}
    onDone={reload}
  >
    Its restrictions and its limit end for every key and member that it is assigned to. This cannot
    be undone.
  </ActionButton>
)
