/** Runs a request again from its kept content: first where it would go and what for, then both answers side by side. */
import type { OperationResponse } from "@signalbox/core/contract"
import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { act, post, type Session, toRequestError } from "../../api/request.ts"
import { useApi, useLoaded } from "../../api/useApi.ts"
import { useDebounced } from "../../api/useDebounced.ts"
import { Field } from "../../components/Field.tsx"
import { parseList } from "../../components/FormField.ts"
import { Loading } from "../../components/Loading.tsx"
import { ModelOptions } from "../../components/ModelOptions.tsx"
import { Money } from "../../components/Money.tsx"
import { Section } from "../../components/Section.tsx"
import { formatMillis } from "../../format/format.ts"
import { toHash } from "../../routing/location.ts"
import type { RequestRecord } from "./RequestRecord.ts"

type Preview = OperationResponse<"generations.previewReplay">["data"]
type Replayed = OperationResponse<"generations.replay">["data"]

type Progress =
  | { readonly step: "planned" | "running" }
  | { readonly step: "failed"; readonly problem: string }
  | { readonly step: "answered"; readonly answer: Replayed; readonly millis: number }

/** Operations whose kept content is all that they need. */
export const canReplay = ({ operation }: RequestRecord): boolean =>
  operation === "chat" || operation === "decisions"

export const Replay = ({
  record,
  session
}: {
  readonly record: RequestRecord
  readonly session: Session
}) => {
  const [model, setModel] = useState("")
  const [providers, setProviders] = useState("")
  const [progress, setProgress] = useState<Progress>({ step: "planned" })
  const wish = toWish(model, providers)
  const path = `api/v1/signalbox/generations/${encodeURIComponent(record.id)}/replay`
  const preview = useLoaded(useDebounced(JSON.stringify(wish)), async (wish, signal) => {
    const plan = await post<"generations.previewReplay">(
      `${path}/preview`,
      JSON.parse(wish),
      signal
    )
    return plan.data
  })
  const run = async () => {
    setProgress({ step: "running" })
    const start = performance.now()
    try {
      const { data } = await act<"generations.replay">(session, "POST", path, wish)
      setProgress({ step: "answered", answer: data, millis: performance.now() - start })
    } catch (problem) {
      setProgress({ step: "failed", problem: toRequestError(problem).message })
    }
  }
  return (
    <Section title="Replay">
      <form
        class="playground"
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <Field label="Model, if another one" isWide>
          <input
            list="replay-models"
            placeholder={record.models.join(", ")}
            value={model}
            onInput={({ currentTarget }) => setModel(currentTarget.value)}
          />
        </Field>
        <ModelOptions id="replay-models" typed={model} />
        <Field label="Only these providers, separated by commas" isWide>
          <input
            value={providers}
            onInput={({ currentTarget }) => setProviders(currentTarget.value)}
          />
        </Field>
        <Loading loaded={preview}>{(plan) => <Effects plan={plan} />}</Loading>
        <div class="row-actions">
          <button
            type="submit"
            class="primary"
            disabled={progress.step === "running" || preview.data?.endpoints.length === 0}
          >
            Run again
          </button>
        </div>
      </form>
      <div role="status">
        {progress.step === "running" && <p>Working…</p>}
        {progress.step === "failed" && <p class="text-bad">Not answered: {progress.problem}</p>}
      </div>
      {progress.step === "answered" && (
        <Answers record={record} answer={progress.answer} millis={progress.millis} />
      )}
    </Section>
  )
}

const toWish = (model: string, providers: string) => {
  const only = parseList(providers)
  return {
    ...(model.trim() === "" ? undefined : { model: model.trim() }),
    ...(only.length === 0 ? undefined : { provider: { only } })
  }
}

/** What it will do, and what it cannot do as before. */
const Effects = ({
  plan: { endpoints, is_redacted: isRedacted, omitted_fields: omitted }
}: {
  readonly plan: Preview
}) => {
  const [first] = endpoints
  return (
    <div class="effect">
      {first === undefined ? (
        <p>No endpoint may serve it.</p>
      ) : (
        <p>
          Goes to {endpoints.map(({ endpoint_id: id }) => id).join(", then ")}, and costs about{" "}
          <Money usd={first.estimated_cost} />. It is recorded for you and counts under your limits.
        </p>
      )}
      {omitted.length > 0 && <p class="muted small">Without its {omitted.join(", ")}.</p>}
      {isRedacted && (
        <p class="text-warn small">
          Secrets were left out of the content before it was stored, so the model reads something
          else.
        </p>
      )}
    </div>
  )
}

const Answers = ({
  answer,
  millis,
  record
}: {
  readonly answer: Replayed
  readonly millis: number
  readonly record: RequestRecord
}) => {
  const kept = useApi<"generations.getContent">("api/v1/generation/content", { id: record.id })
  return (
    <div class="answers">
      <Side title="Then">
        <Loading loaded={kept}>{({ data }) => <Output of={data.output} />}</Loading>
        <p class="small">
          {record.model === null
            ? `No answer (${record.outcome})`
            : `${record.model} of ${record.provider_name}`}{" "}
          in {formatMillis(record.latency)} for <Money usd={record.cost} />
        </p>
      </Side>
      <Side title="Again">
        <Output of={answer.output} />
        <p class="small">
          <a href={toHash(["requests", answer.id])}>
            {answer.model} of {answer.provider_name}
          </a>{" "}
          in {formatMillis(millis)} for <Money usd={answer.cost} />.{" "}
          <a href={toHash(["requests", record.id, answer.id])}>Compare both</a>
        </p>
      </Side>
    </div>
  )
}

const Side = ({
  children,
  title
}: {
  readonly children: ComponentChildren
  readonly title: string
}) => (
  <section class="answer" aria-label={title}>
    <h3>{title}</h3>
    {children}
  </section>
)

const Output = ({
  of: { completion, reasoning }
}: {
  readonly of: { readonly completion: string | null; readonly reasoning: string | null }
}) => (
  <>
    {reasoning !== null && <p class="said muted small">{reasoning}</p>}
    {completion === null ? <p class="muted">none</p> : <p class="said">{completion}</p>}
  </>
)
