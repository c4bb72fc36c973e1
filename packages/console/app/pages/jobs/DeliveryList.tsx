/** Webhook deliveries by state; one may be sent again. */
import { isAllowed, type Session } from "../../api/request.ts"
import { type Names, useNames } from "../../api/useNames.ts"
import { usePages } from "../../api/usePages.ts"
import { ActionButton } from "../../components/ActionButton.tsx"
import { Badge, type Tone } from "../../components/Badge.tsx"
import { Loading } from "../../components/Loading.tsx"
import { LoadMore } from "../../components/LoadMore.tsx"
import { ReadOnlyNote } from "../../components/ReadOnlyNote.tsx"
import { Section } from "../../components/Section.tsx"
import { findState, StateFilter } from "../../components/StateFilter.tsx"
import { type Column, Table } from "../../components/Table.tsx"
import { Time } from "../../components/Time.tsx"
import { formatRelative, unknown } from "../../format/format.ts"
import { useNow } from "../../routing/useNow.ts"
import { DeliveryAttempts } from "./DeliveryAttempts.tsx"
import { describeAttempt, isAttemptGood } from "./describeAttempt.ts"
import { redeliver } from "./redeliver.ts"
import {
  type Delivery,
  type DeliveryState,
  deliveryStates,
  useDeliveryCounts
} from "./useDeliveryCounts.ts"

export const DeliveryList = ({
  session,
  state: given
}: {
  readonly session: Session
  readonly state: string | undefined
}) => {
  const state = findState(deliveryStates, given)
  const deliveries = usePages<Delivery>(
    "api/v1/signalbox/deliveries",
    { state, limit: 10 },
    { every: 5_000 }
  )
  const summary = useDeliveryCounts()
  const names = useNames()
  const now = useNow(1_000)
  const reload = () => {
    deliveries.reload()
    summary.reload()
  }
  return (
    <Section
      title="Webhook deliveries"
      aside={
        <span class="muted">
          {summary.data !== undefined &&
            (summary.data.oldest === undefined
              ? "none waits"
              : `the oldest ${summary.data.isOldestKnown ? "" : "of the latest hundred "}that waits is from ${formatRelative(summary.data.oldest, now)}`)}
        </span>
      }
    >
      <ReadOnlyNote session={session} group="deliveries" actions="retry deliveries" />
      <StateFilter
        label="State of deliveries"
        name="deliveries"
        states={deliveryStates}
        value={state}
        counts={(state) => summary.data?.counts.get(state) ?? ""}
      />
      <Loading
        loaded={deliveries}
        isEmpty={(rows) => rows.length === 0}
        empty={
          state === undefined ? (
            <>
              No event has been sent. Set the webhook of a workspace with{" "}
              <code>PUT /api/v1/signalbox/workspaces/…/webhook</code>, or pass a{" "}
              <code>callback_url</code> with a video job.
            </>
          ) : (
            `No delivery is ${state}.`
          )
        }
      >
        {(rows) => (
          <>
            <Table
              caption="Webhook deliveries"
              columns={makeColumns(session, names, now, reload)}
              rows={rows}
              toKey={({ id }) => id}
            />
            <LoadMore pages={deliveries} />
          </>
        )}
      </Loading>
    </Section>
  )
}

const tones: Readonly<Record<DeliveryState, Tone>> = {
  pending: "warn",
  delivered: "good",
  failed: "bad",
  disabled: "plain"
}

const stateTitles: Readonly<Record<DeliveryState, string>> = {
  pending: "It is tried again on schedule",
  delivered: "The receiver has answered with 2xx",
  failed: "It is not tried again by itself",
  disabled: "The receiver has answered with 410: it wants no more events"
}

const makeColumns = (
  session: Session,
  { toWorkspaceName }: Names,
  now: number,
  reload: () => void
): ReadonlyArray<Column<Delivery>> => [
  {
    title: "Event",
    cell: ({ id, type }) => (
      <>
        {type}
        <br />
        <code class="id muted">{id}</code>
      </>
    )
  },
  {
    title: "State",
    cell: ({ state }) => (
      <Badge tone={tones[state]} title={stateTitles[state]}>
        {state}
      </Badge>
    )
  },
  {
    title: "Receiver",
    cell: ({ url, workspace_id: workspace }) => (
      <>
        {url}
        <br />
        <span class="muted small">{toWorkspaceName(workspace)}</span>
      </>
    )
  },
  { title: "Made", cell: ({ created_at }) => <Time at={created_at} /> },
  {
    title: "Last attempt",
    cell: ({ id, last_attempt: last }) =>
      last === null ? (
        unknown
      ) : (
        <>
          <span class={isAttemptGood(last) ? "" : "text-bad"}>{describeAttempt(last)}</span>
          <DeliveryAttempts id={id} at={last.at} />
        </>
      )
  },
  {
    title: "Next attempt",
    cell: ({ next_attempt_at: next }) =>
      next === null ? (
        unknown
      ) : (
        <span title={next}>{Date.parse(next) <= now ? "now" : formatRelative(next, now)}</span>
      )
  },
  ...(isAllowed(session, "deliveries")
    ? [
        {
          title: "Action",
          cell: ({ id, type, url }: Delivery) => (
            <ActionButton
              label="Retry delivery"
              about={`${type} to ${url}`}
              run={() => redeliver(session, id)}
              onDone={reload}
            >
              The event is sent again at once, with the same id, and if that fails on a new
              schedule.
            </ActionButton>
          )
        }
      ]
    : [])
]
