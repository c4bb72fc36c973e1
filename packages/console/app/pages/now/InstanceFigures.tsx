/** The state of the instance in figures. */
import { Time } from "../../components/Time.tsx"
import { formatCount, formatSpan } from "../../format/format.ts"
import { toHash } from "../../routing/location.ts"
import type { OperationResponse } from "@signalbox/core/contract"

type HealthReport = OperationResponse<"reports.health">["data"]

export const InstanceFigures = ({ report }: { readonly report: HealthReport }) => {
  const { at, catalog, jobs, models, running, status, storage } = report
  const losses = storage.queues.filter(({ dropped, failed }) => dropped + failed > 0)
  const due = jobs?.reduce((sum, job) => sum + job.due, 0)
  const oldest = Math.max(0, ...(jobs?.map(({ oldestMillis }) => oldestMillis) ?? []))
  return (
    <>
      {catalog.failure !== undefined && (
        <div class="note note-bad" role="alert">
          <span>
            The catalog could not be read again at <Time at={catalog.failure.at} />:{" "}
            {catalog.failure.problem}
          </span>
        </div>
      )}
      {storage.status === "unavailable" && (
        <div class="note note-bad" role="alert">
          <span>
            The storage cannot be used
            {storage.since !== undefined && (
              <>
                {" since "}
                <Time at={storage.since} />
              </>
            )}
            : {storage.reason}
          </span>
        </div>
      )}
      {losses.map(({ dropped, failed, name }) => (
        <div class="note note-bad" role="alert" key={name}>
          <span>
            Records of {name} were lost since the start: {formatCount(dropped)} because the queue
            was full, {formatCount(failed)} because they could not be written.
          </span>
        </div>
      ))}
      {catalog.skipped !== undefined && (
        <div class="note note-bad" role="alert">
          <span>
            {formatCount(catalog.skipped.count)} invalid{" "}
            {catalog.skipped.count === 1 ? "entry" : "entries"} of the catalog{" "}
            {catalog.skipped.count === 1 ? "is" : "are"} not served:{" "}
            {catalog.skipped.entries
              .slice(0, 3)
              .map(({ model, problem }) => `${model}: ${problem}`)
              .join("; ")}
          </span>
        </div>
      )}
      <dl class="figures">
        <div>
          <dt>Instance</dt>
          <dd class={status === "ready" ? "" : "text-warn"}>{status}</dd>
        </div>
        <div>
          <dt>Requests in progress</dt>
          <dd>{formatCount(running)}</dd>
        </div>
        <div>
          <dt>Due jobs</dt>
          <dd>
            <a href={toHash(["jobs"])}>{formatCount(due)}</a>
            {oldest > 0 && <span class="muted small"> oldest {formatSpan(oldest)}</span>}
          </dd>
        </div>
        <div>
          <dt>Models</dt>
          <dd>
            <a href={toHash(["models"])}>{formatCount(models)}</a>
          </dd>
        </div>
        <div>
          <dt>Catalog read</dt>
          <dd>{formatSpan(at - catalog.readAt)} ago</dd>
        </div>
      </dl>
    </>
  )
}
