/** What one model of the playground answers: the plan before, the route after. */
import type { Session } from "../../api/request.ts"
import { useLoaded } from "../../api/useApi.ts"
import { Loading } from "../../components/Loading.tsx"
import { Money } from "../../components/Money.tsx"
import { formatMillis, formatShare } from "../../format/format.ts"
import { toHash } from "../../routing/location.ts"
import { loadPlan, toCandidateId } from "../route/plan.ts"
import type { Json } from "../route/request.ts"
import type { ChatReply } from "./ChatReply.ts"
import type { PlaygroundKind } from "./toCode.ts"
import { type Decision, type Progress, useReply } from "./useReply.ts"

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
  const progress = useReply({ kind, request, round, session })
  const plan = useLoaded(JSON.stringify(request), (_, signal) =>
    loadPlan(request, session.workspace, signal)
  )
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
      {progress.reply !== undefined && <Reply of={progress.reply} />}
      {progress.decision !== undefined && <Answers of={progress.decision} />}
      <div role="status">
        {progress.step === "running" && progress.reply === undefined && <p>Working…</p>}
        {progress.step === "failed" && <p class="text-bad">{progress.problem}</p>}
        {progress.step === "answered" && <Route of={progress} />}
      </div>
    </section>
  )
}

const Route = ({ of: { decision, firstMillis, millis, reply } }: { readonly of: Progress }) => (
  <p class="small">
    <a href={toHash(["requests", reply?.id ?? decision?.id ?? ""])}>
      Answered by {reply?.provider ?? decision?.provider}
    </a>{" "}
    in {formatMillis(millis)}
    {firstMillis !== undefined && `, the first token after ${formatMillis(firstMillis)},`} for{" "}
    <Money usd={reply?.cost ?? decision?.usage?.cost} />
  </p>
)

const Reply = ({ of: { calls, text } }: { readonly of: ChatReply }) => (
  <>
    {text !== "" && <p class="said">{text}</p>}
    {calls.map(({ arguments: given, name }, at) => (
      <p key={at}>
        calls{" "}
        <code>
          {name}({given})
        </code>
      </p>
    ))}
  </>
)

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
