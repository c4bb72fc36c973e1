/** The interns of the workspace by state, with their progress and last failure. */
import type { OperationResponse } from "@signalbox/core/contract"
import { act, isAllowed, type Session } from "../../api/request.ts"
import { useNames } from "../../api/useNames.ts"
import { usePages } from "../../api/usePages.ts"
import { ActionButton } from "../../components/ActionButton.tsx"
import { Badge, type Tone } from "../../components/Badge.tsx"
import { Loading } from "../../components/Loading.tsx"
import { LoadMore } from "../../components/LoadMore.tsx"
import { ReadOnlyNote } from "../../components/ReadOnlyNote.tsx"
import { findState, StateFilter } from "../../components/StateFilter.tsx"
import { type Column, Table } from "../../components/Table.tsx"
import { Time } from "../../components/Time.tsx"
import { unknown } from "../../format/format.ts"
import type { PageProps } from "../../shell/Page.ts"

type Intern = OperationResponse<"interns.list">["data"][number]
type Status = Intern["status"]

const tones: Readonly<Record<Status, Tone>> = {
  running: "good",
  provisioning: "warn",
  queued: "warn",
  failed: "bad",
  stopped: "plain",
  awaiting_slack_install: "plain",
  destroying: "warn",
  destroy_failed: "bad"
}
const statuses = Object.keys(tones) as ReadonlyArray<Status>

export const InternsPage = ({ location: { query }, session }: PageProps) => {
  const { toWorkspaceName } = useNames()
  const status = findState(statuses, query["state"])
  const interns = usePages<Intern>("api/v1/interns", { status, limit: 100 }, { every: 3_000 })

  return (
    <>
      <p class="muted small">
        Interns of the workspace{" "}
        <span title={session.workspace}>{toWorkspaceName(session.workspace)}</span>. Those of others
        need a console whose <code>authorize</code> names their workspace.
      </p>
      <ReadOnlyNote session={session} group="interns" actions="provision and suspend interns" />
      <StateFilter label="State of interns" name="state" states={statuses} value={status} />
      <Loading
        loaded={interns}
        isEmpty={(rows) => rows.length === 0}
        empty={
          status === undefined ? (
            <>
              There is no intern in this workspace. Create one with{" "}
              <code>POST /api/v1/interns</code> and a <code>name</code>.
            </>
          ) : (
            `No intern is ${status.replaceAll("_", " ")}.`
          )
        }
      >
        {(rows) => (
          <>
            <Table
              caption="Interns"
              columns={makeColumns(session, interns.reload)}
              rows={rows}
              toKey={({ id }) => id}
            />
            <LoadMore pages={interns} />
          </>
        )}
      </Loading>
    </>
  )
}

const makeColumns = (session: Session, reload: () => void): ReadonlyArray<Column<Intern>> => [
  {
    title: "Intern",
    cell: ({ description, id, name }) => (
      <>
        <span title={description ?? ""}>{name}</span>
        <br />
        <code class="id muted">{id}</code>
      </>
    )
  },
  {
    title: "State",
    cell: ({ status }) => <Badge tone={tones[status]}>{status.replaceAll("_", " ")}</Badge>
  },
  { title: "Progress", cell: (intern) => <Progress of={intern} /> },
  {
    title: "Last failure",
    cell: ({ last_failure_message: message }) =>
      message === null ? unknown : <span class="text-bad">{message}</span>
  },
  {
    title: "Model",
    cell: ({ model }) => model ?? <span class="muted">default of the workspace</span>
  },
  { title: "Hostname", cell: ({ hostname }) => hostname ?? unknown },
  { title: "Changed", cell: ({ updated_at }) => <Time at={updated_at} /> },
  ...(isAllowed(session, "interns")
    ? [
        {
          title: "Action",
          cell: (intern: Intern) => <Action of={intern} session={session} reload={reload} />
        }
      ]
    : [])
]

const Progress = ({ of: { progress } }: { readonly of: Intern }) => {
  if (progress === null) return <>{unknown}</>
  const { step_label: label, step_number: step, total_steps: total } = progress
  return (
    <>
      <progress value={step} max={total} aria-label="Provisioning" /> {label} ({step} of {total})
    </>
  )
}

const provisionable: ReadonlySet<Status> = new Set(["stopped", "failed", "awaiting_slack_install"])

const Action = ({
  of: { id, name, status },
  reload,
  session
}: {
  readonly of: Intern
  readonly session: Session
  readonly reload: () => void
}) => {
  const path = `api/v1/interns/${encodeURIComponent(id)}`
  if (provisionable.has(status)) {
    return (
      <ActionButton
        label="Provision"
        about={name}
        run={async () => {
          await act<"interns.provision">(session, "POST", `${path}/provision`)
          return "Provisioning is queued; its progress is in the list."
        }}
        onDone={reload}
      >
        The intern is prepared on its host, with its present instructions and model, and runs
        afterwards.
      </ActionButton>
    )
  }
  return status === "running" ? (
    <ActionButton
      label="Suspend"
      isDestructive
      about={name}
      run={async () => {
        await act<"interns.suspend">(session, "POST", `${path}/suspend`)
        return "The intern is suspended."
      }}
      onDone={reload}
    >
      It answers no chats until it is provisioned again. Its disk and settings are kept.
    </ActionButton>
  ) : null
}
