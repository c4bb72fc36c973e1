/** What is settled and reserved against every limit. */
import type { ComponentChildren } from "preact"
import { isAllowed, type Session } from "../../api/request.ts"
import { useNames, type Names } from "../../api/useNames.ts"
import { usePages } from "../../api/usePages.ts"
import { Loading } from "../../components/Loading.tsx"
import { LoadMore } from "../../components/LoadMore.tsx"
import { Meter } from "../../components/Meter.tsx"
import { Money } from "../../components/Money.tsx"
import { Section } from "../../components/Section.tsx"
import { type Column, Table } from "../../components/Table.tsx"
import { formatRelative, formatTime, unknown } from "../../format/format.ts"
import { toHash } from "../../routing/location.ts"
import { useNow } from "../../routing/useNow.ts"
import { toWindowQuery } from "../../routing/windowQuery.ts"
import { LimitActions, NewBudget } from "./LimitActions.tsx"
import type { Limit } from "./limitForm.ts"
import { projectLimit } from "./projectLimit.ts"

export const LimitList = ({ session }: { readonly session: Session }) => {
  const names = useNames()
  const now = useNow(60_000)
  const columns = (reload: () => void): ReadonlyArray<Column<Limit>> => [
    ...makeColumns(names, now),
    ...(isAllowed(session, "budgets", "guardrails", "keys")
      ? [
          {
            title: "Action",
            cell: (limit: Limit) => (
              <LimitActions
                of={limit}
                about={`${kindNames[limit.kind]} ${limit.key_name ?? limit.name ?? ""} (${limit.interval})`}
                session={session}
                reload={reload}
              />
            )
          }
        ]
      : [])
  ]
  return (
    <>
      <LimitSection
        title="Limits of the account and its workspaces"
        holder="workspace"
        columns={columns}
        aside={(reload) =>
          isAllowed(session, "budgets") && (
            <NewBudget session={session} names={names} reload={reload} />
          )
        }
        empty={
          <>
            Spending is unlimited here. Pass <code>credits</code> to <code>Signalbox.make</code> for
            the account, or set a budget with <code>PUT /api/v1/workspaces/…/budgets/monthly</code>{" "}
            or <code>POST /api/v1/signalbox/budgets</code>.
          </>
        }
      />
      <LimitSection
        title="Limits of keys"
        holder="key"
        columns={columns}
        empty={
          <>
            No key has a limit. Set one with <code>PATCH /api/v1/keys/…</code> and a{" "}
            <code>limit</code>, or assign a guardrail with a <code>limit_usd</code>.
          </>
        }
      />
      <LimitSection
        title="Limits of members"
        holder="member"
        columns={columns}
        empty={
          <>
            No guardrail with a limit is assigned to a member. Assign one with{" "}
            <code>POST /api/v1/guardrails/…/assignments/members</code>.
          </>
        }
      />
    </>
  )
}

const LimitSection = ({
  aside,
  columns,
  empty,
  holder,
  title
}: {
  readonly title: string
  readonly holder: "key" | "member" | "workspace"
  readonly columns: (reload: () => void) => ReadonlyArray<Column<Limit>>
  /** Controls beside the heading. */
  readonly aside?: (reload: () => void) => ComponentChildren
  readonly empty: ComponentChildren
}) => {
  const limits = usePages<Limit>("api/v1/signalbox/limits", { holder, limit: 50 })
  return (
    <Section
      title={title}
      aside={
        <div class="row-actions">
          {aside?.(limits.reload)}
          <button type="button" onClick={limits.reload} aria-label={`Read again: ${title}`}>
            Read again
          </button>
        </div>
      }
    >
      <Loading loaded={limits} isEmpty={(rows) => rows.length === 0} empty={empty}>
        {(rows) => (
          <>
            <Table
              caption={title}
              columns={columns(limits.reload)}
              // What runs out first is seen first.
              rows={rows.toSorted((one, other) => getUsedShare(other) - getUsedShare(one))}
              toKey={(limit) =>
                JSON.stringify([
                  limit.kind,
                  limit.workspace_id,
                  limit.guardrail_id,
                  limit.budget_id,
                  limit.key_hash,
                  limit.user_id,
                  limit.interval
                ])
              }
            />
            <LoadMore pages={limits} />
          </>
        )}
      </Loading>
    </Section>
  )
}

const getUsedShare = ({ limit, reserved, settled }: Limit): number =>
  limit === 0 ? 1 : (settled + reserved) / limit

const makeColumns = (names: Names, now: number): ReadonlyArray<Column<Limit>> => [
  {
    title: "Limit",
    cell: ({ include_byok, kind, name, soft }) => (
      <>
        {kindNames[kind]} {(kind === "guardrail" || kind === "budget") && name}
        {soft && <span class="muted small"> only warns</span>}
        {include_byok && <span class="muted small"> own credentials count</span>}
      </>
    )
  },
  { title: "Spending of", cell: (limit) => <Spender of={limit} names={names} /> },
  {
    title: "Interval",
    cell: ({ interval, resets_at: resets }) =>
      resets === null ? (
        "never resets"
      ) : (
        <span title={resets}>
          {interval}, resets {formatRelative(resets, now)}
        </span>
      )
  },
  {
    title: "Used",
    isNumber: true,
    cell: ({ limit, reserved, settled }) => (
      <Meter limit={limit} settled={settled} reserved={reserved} />
    )
  },
  {
    title: "Settled",
    isNumber: true,
    cell: (limit) => (
      <a href={toHash(["requests"], { ...toFilter(limit), ...toWindowQuery(limit.began_at, now) })}>
        <Money usd={limit.settled} />
      </a>
    )
  },
  {
    title: "Reserved",
    isNumber: true,
    cell: ({ reserved }) => (
      <span title="Set aside for requests in progress, which count once they have ended">
        <Money usd={reserved} />
      </span>
    )
  },
  {
    title: "Spent at this rate",
    cell: (limit) => {
      const at = projectLimit(limit, now)
      if (at === undefined) return unknown
      if (at === null) return <span class="muted">not before it resets</span>
      return <span class={at <= now ? "text-bad" : "text-warn"}>{formatTime(at)}</span>
    }
  },
  { title: "Remaining", isNumber: true, cell: ({ remaining }) => <Money usd={remaining} /> },
  { title: "Limit in USD", isNumber: true, cell: ({ limit }) => <Money usd={limit} /> }
]

const kindNames: Readonly<Record<Limit["kind"], string>> = {
  credits: "Credits of the account",
  workspace: "Budget of the workspace",
  key: "Limit of the key",
  guardrail: "Guardrail",
  budget: "Budget",
  experiment: "Budget of an experiment"
}

const Spender = ({ names, of: limit }: { readonly of: Limit; readonly names: Names }) => {
  const { guardrail_id, key_hash, key_name, kind, scope, user_id, workspace_id } = limit
  if (kind === "credits") return <span>the whole account</span>
  if (key_hash !== null) return <span title={key_hash}>the key {key_name}</span>
  if (user_id !== null) return <span>the user {user_id}</span>
  if (scope !== null) return <span>{describeScope(scope)}</span>
  const workspace = workspace_id === null ? "" : names.toWorkspaceName(workspace_id)
  return <span>{guardrail_id === null ? workspace : `the application, in ${workspace}`}</span>
}

const describeScope = ({
  external_user,
  model,
  provider,
  tag = {}
}: NonNullable<Limit["scope"]>): string =>
  [
    ...Object.entries(tag).map(([key, value]) => `${key}=${value}`),
    model === undefined ? "" : `the model ${model}`,
    provider === undefined ? "" : `the provider ${provider}`,
    external_user === undefined ? "" : `the external user ${external_user}`
  ]
    .filter((part) => part !== "")
    .join(", ")

const toFilter = ({
  key_hash,
  kind,
  scope,
  user_id,
  workspace_id
}: Limit): Readonly<Record<string, string | undefined>> => {
  if (scope !== null) {
    const { external_user, model } = scope
    return { workspace_id: workspace_id ?? undefined, external_user, model }
  }
  if (kind === "credits") return {}
  if (key_hash !== null) return { key_hash }
  if (user_id !== null) return { user: user_id }
  // No filter has the requests of the application alone.
  return { workspace_id: workspace_id ?? undefined }
}
