/** Video jobs by state; one under way may be cancelled. */
import { act, isAllowed, type Session } from "../../api/request.ts"
import { usePages } from "../../api/usePages.ts"
import { ActionButton } from "../../components/ActionButton.tsx"
import { Badge, type Tone } from "../../components/Badge.tsx"
import { Loading } from "../../components/Loading.tsx"
import { LoadMore } from "../../components/LoadMore.tsx"
import { Money } from "../../components/Money.tsx"
import { ReadOnlyNote } from "../../components/ReadOnlyNote.tsx"
import { Section } from "../../components/Section.tsx"
import { findState, StateFilter } from "../../components/StateFilter.tsx"
import { type Column, Table } from "../../components/Table.tsx"
import { Time } from "../../components/Time.tsx"
import { formatCount, formatRelative, unknown } from "../../format/format.ts"
import { toHash } from "../../routing/location.ts"
import { useNow } from "../../routing/useNow.ts"
import { judgeVideos } from "./judgeVideos.ts"
import {
  isActive,
  useVideoCounts,
  type VideoJob,
  type VideoStatus,
  videoStatuses
} from "./useVideoCounts.ts"

export const VideoList = ({
  session,
  state
}: {
  readonly session: Session
  readonly state: string | undefined
}) => {
  const status = findState(videoStatuses, state)
  const jobs = usePages<VideoJob>(
    "api/v1/signalbox/videos",
    { status, limit: 10 },
    { every: 5_000 }
  )
  const summary = useVideoCounts()
  const now = useNow(1_000)
  const reload = () => {
    jobs.reload()
    summary.reload()
  }
  return (
    <Section title="Video jobs">
      {summary.data !== undefined && (
        <p class="sentence">{judgeVideos(summary.data.oldest, now)}</p>
      )}
      <ReadOnlyNote session={session} group="videos" actions="cancel video jobs" />
      <StateFilter
        label="State of video jobs"
        name="videos"
        states={videoStatuses}
        value={status}
        counts={(status) => formatCount(summary.data?.counts.get(status))}
      />
      <Loading
        loaded={jobs}
        isEmpty={(rows) => rows.length === 0}
        empty={
          status === undefined ? (
            <>
              There is no video job. <code>POST /api/v1/videos</code> with a video model submits
              one.
            </>
          ) : (
            `No video job is ${status.replaceAll("_", " ")}.`
          )
        }
      >
        {(rows) => (
          <>
            <Table
              caption="Video jobs"
              columns={makeColumns(session, now, reload)}
              rows={rows}
              toKey={({ id }) => id}
            />
            <LoadMore pages={jobs} />
          </>
        )}
      </Loading>
    </Section>
  )
}

const tones: Readonly<Record<VideoStatus, Tone>> = {
  pending: "warn",
  in_progress: "warn",
  completed: "good",
  failed: "bad",
  cancelled: "plain",
  expired: "bad"
}

const makeColumns = (
  session: Session,
  now: number,
  reload: () => void
): ReadonlyArray<Column<VideoJob>> => [
  {
    title: "Job",
    cell: ({ generation_id: generation, id }) =>
      generation === undefined ? (
        <code class="id">{id}</code>
      ) : (
        <a href={toHash(["requests", generation])}>
          <code class="id">{id}</code>
        </a>
      )
  },
  {
    title: "State",
    cell: ({ created_at, status }) => (
      <>
        <Badge tone={tones[status]}>{status.replaceAll("_", " ")}</Badge>
        {isActive(status) && (
          <span class="muted small">
            {" "}
            since {formatRelative(created_at, now).replace(" ago", "")}
          </span>
        )}
      </>
    )
  },
  {
    title: "Model",
    cell: ({ model }) => (
      <a class="id" href={toHash(["requests"], { model, range: "30d" })}>
        {model}
      </a>
    )
  },
  {
    title: "Provider",
    cell: ({ polls, provider_name: provider }) => (
      <span title={`${polls} status reports received`}>
        {provider ?? <span class="muted">none has accepted it</span>}
      </span>
    )
  },
  { title: "Submitted", cell: ({ created_at }) => <Time at={created_at} /> },
  {
    title: "Cost",
    isNumber: true,
    cell: ({ generation_id: generation, usage }) =>
      usage?.cost === undefined || generation === undefined ? (
        <Money usd={usage?.cost} />
      ) : (
        <a href={toHash(["requests", generation])}>
          <Money usd={usage.cost} />
        </a>
      )
  },
  {
    title: "Error",
    cell: ({ content_notice: notice, error }) =>
      error === undefined ? (notice ?? unknown) : <span class="text-bad">{error}</span>
  },
  ...(isAllowed(session, "videos")
    ? [
        {
          title: "Action",
          cell: (job: VideoJob) => <Cancel of={job} session={session} reload={reload} />
        }
      ]
    : [])
]

const Cancel = ({
  of: { id, model, status },
  reload,
  session
}: {
  readonly of: VideoJob
  readonly session: Session
  readonly reload: () => void
}) =>
  isActive(status) ? (
    <ActionButton
      label="Cancel job"
      isDestructive
      about={`${id} (${model})`}
      run={async () => {
        const { data } = await act<"videos.cancel">(
          session,
          "POST",
          `api/v1/signalbox/videos/${encodeURIComponent(id)}/cancel`
        )
        return `The job is ${data.status.replaceAll("_", " ")}.`
      }}
      onDone={reload}
    >
      The provider is asked to stop. The caller gets no video, and the job cannot be started again.
    </ActionButton>
  ) : null
