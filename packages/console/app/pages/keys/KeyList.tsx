/** The API keys of the account. */
import type { OperationResponse } from "@signalbox/core/contract"
import { Fragment } from "preact"
import { isAllowed, type Session } from "../../api/request.ts"
import { useApi } from "../../api/useApi.ts"
import { type Names, useNames } from "../../api/useNames.ts"
import { usePages } from "../../api/usePages.ts"
import { Badge } from "../../components/Badge.tsx"
import { Loading } from "../../components/Loading.tsx"
import { LoadMore } from "../../components/LoadMore.tsx"
import { Meter } from "../../components/Meter.tsx"
import { Money } from "../../components/Money.tsx"
import { ReadOnlyNote } from "../../components/ReadOnlyNote.tsx"
import { Section } from "../../components/Section.tsx"
import { type Column, Table } from "../../components/Table.tsx"
import { Time } from "../../components/Time.tsx"
import { formatMillis, unknown } from "../../format/format.ts"
import { toHash } from "../../routing/location.ts"
import { toWindowQuery } from "../../routing/windowQuery.ts"
import { CreateKey } from "./CreateKey.tsx"
import { KeyActions } from "./KeyActions.tsx"
import type { Key } from "./keyForm.ts"
import { formatTags } from "./parseTags.ts"

type Periods = OperationResponse<"limits.getPeriods">["data"]

export const KeyList = ({ session }: { readonly session: Session }) => {
  const keys = usePages<Key>("api/v1/keys", {
    include_disabled: "true",
    sort: "newest",
    limit: 20
  })
  const names = useNames()
  const periods = useApi<"limits.getPeriods">("api/v1/signalbox/limits/periods").data?.data
  return (
    <Section
      title="Keys"
      aside={
        isAllowed(session, "keys") && (
          <CreateKey session={session} names={names} reload={keys.reload} />
        )
      }
    >
      <ReadOnlyNote session={session} group="disableKeys" actions="disable keys" />
      <Loading
        loaded={keys}
        isEmpty={(rows) => rows.length === 0}
        empty={
          <>
            There is no key. Pass <code>keys</code> to <code>Signalbox.make</code>, or create one
            with <code>POST /api/v1/keys</code>.
          </>
        }
      >
        {(rows) => (
          <>
            <Table
              caption="Keys"
              columns={makeColumns(session, names, periods, keys.reload)}
              rows={rows}
              toKey={({ hash }) => hash}
            />
            <LoadMore pages={keys} />
          </>
        )}
      </Loading>
    </Section>
  )
}

const makeColumns = (
  session: Session,
  { toWorkspaceName }: Names,
  periods: Periods | undefined,
  reload: () => void
): ReadonlyArray<Column<Key>> => [
  {
    title: "Key",
    cell: ({ hash, label, name, tags }) => (
      <>
        <a
          href={toHash(["requests"], { key_hash: hash, range: "30d" })}
          title={`Requests with ${hash}`}
        >
          {name}
        </a>
        <br />
        <span class="muted small">{label}</span>
        {formatTags(tags).map((tag) => (
          <Fragment key={tag}>
            {" "}
            <a class="small" href={toHash(["requests"], { tag, range: "30d" })}>
              {tag}
            </a>
          </Fragment>
        ))}
      </>
    )
  },
  { title: "State", cell: (key) => <KeyState of={key} /> },
  {
    title: "Workspace",
    cell: ({ workspace_id: id }) => <span title={id}>{toWorkspaceName(id)}</span>
  },
  {
    title: "User",
    cell: ({ creator_user_id: creator, external_user: external }) => creator ?? external ?? unknown
  },
  { title: "Limit", cell: (key) => <SpendLimit of={key} /> },
  {
    title: "Today",
    isNumber: true,
    cell: ({ byok_usage_daily: own, hash, usage_daily: usage }) => (
      <a
        href={toHash(["requests"], {
          key_hash: hash,
          ...toWindowQuery(periods?.daily.began_at, Date.now())
        })}
      >
        <Money usd={usage + own} />
      </a>
    )
  },
  {
    title: "This month",
    isNumber: true,
    cell: ({ byok_usage_monthly: own, hash, usage_monthly: usage }) => (
      <a
        href={toHash(["requests"], {
          key_hash: hash,
          ...toWindowQuery(periods?.monthly.began_at, Date.now())
        })}
      >
        <Money usd={usage + own} />
      </a>
    )
  },
  {
    title: "In total",
    isNumber: true,
    cell: ({ byok_usage: own, hash, usage }) => (
      <a href={toHash(["requests"], { key_hash: hash, ...toWindowQuery(null, Date.now()) })}>
        <Money usd={usage + own} />
      </a>
    )
  },
  {
    title: "Rate",
    isNumber: true,
    cell: ({ rate_limit: rate }) =>
      rate === null ? unknown : `${rate.requests} per ${formatMillis(rate.windowMillis)}`
  },
  { title: "Created", cell: ({ created_at }) => <Time at={created_at} /> },
  ...(isAllowed(session, "disableKeys", "keys")
    ? [
        {
          title: "Action",
          cell: (key: Key) => <KeyActions of={key} session={session} reload={reload} />
        }
      ]
    : [])
]

const isExpired = ({ expires_at: at }: Key): boolean => at !== null && Date.parse(at) <= Date.now()

const KeyState = ({ of: key }: { readonly of: Key }) => {
  if (key.disabled) return <Badge tone="bad">disabled</Badge>
  if (isExpired(key)) return <Badge tone="warn">expired</Badge>
  return (
    <>
      <Badge tone="good">active</Badge>
      {key.expires_at !== null && (
        <span class="muted small">
          {" "}
          until <Time at={key.expires_at} />
        </span>
      )}
    </>
  )
}

const SpendLimit = ({ of: key }: { readonly of: Key }) => {
  const {
    include_byok_in_limit: countsByok,
    limit,
    limit_remaining: rest,
    limit_reset: reset
  } = key
  if (limit === null) return <span class="muted">none</span>
  return (
    <>
      <Money usd={rest} /> of <Money usd={limit} /> left, {reset ?? "never resets"}
      <br />
      <Meter limit={limit} settled={limit - (rest ?? limit)} reserved={0} />
      {countsByok && <span class="muted small"> own credentials count</span>}
    </>
  )
}
