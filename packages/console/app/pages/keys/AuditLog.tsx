/** Who changed what, latest first. */
import type { OperationResponse } from "@signalbox/core/contract"
import { Fragment } from "preact"
import { type Names, useNames } from "../../api/useNames.ts"
import { usePages } from "../../api/usePages.ts"
import { Loading } from "../../components/Loading.tsx"
import { LoadMore } from "../../components/LoadMore.tsx"
import { Section } from "../../components/Section.tsx"
import { type Column, Table } from "../../components/Table.tsx"
import { Time } from "../../components/Time.tsx"
import { formatId } from "../../format/formatId.ts"
import { listChanges } from "./listChanges.ts"

type Entry = OperationResponse<"audit.list">["data"][number]

export const AuditLog = () => {
  const entries = usePages<Entry>("api/v1/signalbox/audit", { limit: 25 })
  const names = useNames()
  return (
    <Section
      title="Audit log"
      aside={
        <button type="button" onClick={entries.reload}>
          Read again
        </button>
      }
    >
      <Loading
        loaded={entries}
        isEmpty={(rows) => rows.length === 0}
        empty="Nothing has been changed yet. Changes of keys, workspaces, budgets, guardrails, credits and interns appear here, whoever makes them."
      >
        {(rows) => (
          <>
            <Table
              caption="Audit log"
              columns={makeColumns(names)}
              rows={rows}
              toKey={({ id }) => id}
            />
            <LoadMore pages={entries} />
          </>
        )}
      </Loading>
    </Section>
  )
}

const makeColumns = ({ toKeyName, toWorkspaceName }: Names): ReadonlyArray<Column<Entry>> => [
  { title: "Time", cell: ({ created_at }) => <Time at={created_at} /> },
  {
    title: "Who",
    cell: ({ actor: { key_hash: key, user_id: user } }) => {
      if (key === null) return user ?? <span class="muted">the application</span>
      return user === null ? (
        <>the key {toKeyName(key)}</>
      ) : (
        <>
          {user} <span class="muted">with the key {toKeyName(key)}</span>
        </>
      )
    }
  },
  { title: "Action", cell: ({ action }) => <code class="id">{action}</code> },
  {
    title: "Of",
    cell: ({ action, target }) => (
      <span class="id" title={target}>
        {action.startsWith("key.")
          ? toKeyName(target)
          : /^(webhook|workspace)\./.test(action)
            ? toWorkspaceName(target)
            : formatId(target)}
      </span>
    )
  },
  { title: "Change", cell: (entry) => <Change of={entry} /> }
]

const Change = ({ of: { after, before } }: { readonly of: Entry }) => {
  const changes = listChanges(before, after)
  const summary =
    before === null
      ? "created"
      : after === null
        ? "removed"
        : changes.map(({ field }) => field).join(", ")
  return (
    <details>
      <summary>{summary === "" ? "nothing that is shown" : summary}</summary>
      <dl class="facts">
        {changes.map((change) => (
          <Fragment key={change.field}>
            <dt>{change.field}</dt>
            <dd>
              {change.before !== undefined && <del>{change.before}</del>}
              {change.before !== undefined && change.after !== undefined && " → "}
              {change.after !== undefined && <ins>{change.after}</ins>}
            </dd>
          </Fragment>
        ))}
      </dl>
    </details>
  )
}
