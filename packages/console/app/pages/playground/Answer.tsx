/** What one model of the playground answers: the plan before, the route after. */
import type { OperationResponse } from "@signalbox/core/contract"
import { useEffect, useState } from "preact/hooks"
import { act, type Session, toRequestError } from "../../api/request.ts"
import { useLoaded } from "../../api/useApi.ts"
import { Loading } from "../../components/Loading.tsx"
import { Money } from "../../components/Money.tsx"
import { formatMillis, formatShare } from "../../format/format.ts"
import { toHash } from "../../routing/location.ts"
import { loadPlan, toCandidateId } from "../route/plan.ts"
import type { Json } from "../route/request.ts"
import type { PlaygroundKind } from "./toCode.ts"

type Chat = OperationResponse<"chat.complete">
type Decision = OperationResponse<"decisions.createUnderBase">

type Progress =
  | { readonly step: "planned" }
  | { readonly step: "running" }
  | { readonly step: "failed"; readonly problem: string }
  | { readonly step: "answered"; readonly answer: Chat | Decision; readonly millis: number }

const paths = {
  chat: "api/v1/chat/completions",
  decisions: "api/v1/api/alpha/decisions"
} as const

export const Answer = ({
  kind,
  model,
  request,
  round,
  session
}: {
  readonly kind: PlaygroundKind
  readonly model: string
  readonly request: Json
  /** Sends when it changes; 0: only plans. */
  readonly round: number
  readonly session: Session
}) => {
  const [progress, setProgress] = useState<Progress>({ step: "planned" })
  const plan = useLoaded(JSON.stringify(request), (_, signal) =>
    loadPlan(request, session.workspace, signal)
  )
  useEffect(() => {
    if (round === 0) return
    let isGone = false
    const send = async () => {
      setProgress({ step: "running" })
      const start = performance.now()
      try {
        const answer = await act<"chat.complete" | "decisions.createUnderBase">(
          session,
          "POST",
          paths[kind],
          request
        )
        if (!isGone) {
          setProgress({ step: "answered", answer, millis: performance.now() - start })
        }
      } catch (problem) {
        if (!isGone) setProgress({ step: "failed", problem: toRequestError(problem).message })
      }
    }
    void send()
    return () => {
      isGone = true
    }
    // The request of the round, whatever is typed meanwhile.
  }, [round])
  return (
    <section class="answer" aria-label={model}>
      <h3>{model}</h3>
      <Loading loaded={plan}>
        {({ ordered }) => (
          <p class="muted small">
            {ordered.length === 0
              ? "Plan: no endpoint may serve this."
              : `Plan: ${ordered.map(toCandidateId).join(", then ")}`}
          </p>
        )}
      </Loading>
      <div role="status">
        {progress.step === "running" && <p>Working…</p>}
        {progress.step === "failed" && <p class="text-bad">{progress.problem}</p>}
        {progress.step === "answered" && (
          <>
            {"choices" in progress.answer ? (
              <ChatAnswer of={progress.answer} />
            ) : (
              <Answers of={progress.answer} />
            )}
            <p class="small">
              <a href={toHash(["requests", progress.answer.id ?? ""])}>
                Answered by {progress.answer.provider}
              </a>{" "}
              in {formatMillis(progress.millis)} for <Money usd={progress.answer.usage?.cost} />
            </p>
          </>
        )}
      </div>
    </section>
  )
}

const ChatAnswer = ({ of: { choices } }: { readonly of: Chat }) => {
  // Safe: the contract leaves the fields of a message open.
  const message = Object(choices[0]?.message) as Readonly<Record<string, unknown>>
  const { content, tool_calls: calls } = message
  return (
    <>
      <p class="said">{typeof content === "string" ? content : ""}</p>
      {Array.isArray(calls) && calls.length > 0 && <pre>{JSON.stringify(calls, null, 2)}</pre>}
    </>
  )
}

/** The probability of each answer, the likeliest first. */
const Answers = ({ of: { answers } }: { readonly of: Decision }) => (
  <dl class="facts">
    {Object.entries(answers).map(([question, answer]) => (
      <div key={question}>
        <dt>{question}</dt>
        <dd>
          {"probabilities" in answer && typeof answer.probabilities === "object"
            ? Object.entries(answer.probabilities ?? {})
                .toSorted(([, one], [, other]) => other - one)
                .map(([label, share]) => `${label} ${formatShare(share)}`)
                .join(", ")
            : "noul" in answer
              ? `yes ${formatShare(answer.noul)}`
              : JSON.stringify(answer)}
        </dd>
      </div>
    ))}
  </dl>
)
