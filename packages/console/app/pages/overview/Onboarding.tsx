/** The first steps of an instance, for as long as one of them is to do. */
import type { ComponentChildren } from "preact"
import { useEffect, useState } from "preact/hooks"
import type { Session } from "../../api/request.ts"
import { useApi } from "../../api/useApi.ts"
import { Section } from "../../components/Section.tsx"
import { toHash } from "../../routing/location.ts"

interface Step {
  readonly title: string
  readonly isDone: boolean
  readonly how: ComponentChildren
}

export const Onboarding = ({ session }: { readonly session: Session }) => {
  const steps = useSteps(session)
  if (steps === undefined || steps.every(({ isDone }) => isDone)) return null
  const done = steps.filter(({ isDone }) => isDone).length
  const list = (
    <ol class="steps">
      {steps.map(({ how, isDone, title }) => (
        <li key={title} class={isDone ? "muted" : ""}>
          <b>{title}</b>{" "}
          <span class={isDone ? "text-good" : "text-warn"}>{isDone ? "done" : "to do"}</span>
          {!isDone && <p class="small">{how}</p>}
        </li>
      ))}
    </ol>
  )
  return steps.find(({ title }) => title === firstRequest)?.isDone === true ? (
    <details class="more-steps">
      <summary>
        First steps: {done} of {steps.length} done
      </summary>
      {list}
    </details>
  ) : (
    <Section title="First steps">{list}</Section>
  )
}

const firstRequest = "Send the first request"

/** Undefined until all is known. */
const useSteps = (session: Session): ReadonlyArray<Step> | undefined => {
  const [isDone, setDone] = useState(false)
  const every = isDone ? {} : { every: 10_000 }
  const models = useApi<"models.list">("api/v1/models", { limit: 1 }, every)
  const keys = useApi<"keys.list">("api/v1/keys", { limit: 1 }, every)
  const requests = useApi<"generations.list">("api/v1/signalbox/generations", { limit: 1 }, every)
  const limits = useApi<"limits.list">("api/v1/signalbox/limits", { limit: 10 }, every)
  const keyLimits = useApi<"limits.list">(
    "api/v1/signalbox/limits",
    { holder: "key", limit: 10 },
    every
  )
  const loaded = [models.data, keys.data, requests.data, limits.data, keyLimits.data]
  const steps: ReadonlyArray<Step> | undefined = loaded.includes(undefined)
    ? undefined
    : [
        {
          title: "Serve a model",
          isDone: (models.data?.data.length ?? 0) > 0,
          how: (
            <>
              Pass <code>upstreams</code> and <code>models</code> to <code>Signalbox.make</code>.
            </>
          )
        },
        {
          title: "Create the first key",
          isDone: (keys.data?.data.length ?? 0) > 0,
          how: session.allow.includes("keys") ? (
            <a href={toHash(["keys"])}>Create a key here</a>
          ) : (
            <>
              Pass <code>keys</code> to <code>Signalbox.make</code>, or create one with{" "}
              <code>POST /api/v1/keys</code>.
            </>
          )
        },
        {
          title: firstRequest,
          isDone: (requests.data?.data.length ?? 0) > 0,
          how: session.allow.includes("playground") ? (
            <a href={toHash(["playground"])}>Send one from the playground</a>
          ) : (
            <>
              Send one with the key: <code>POST /api/v1/chat/completions</code>. It appears on{" "}
              <a href={toHash(["requests"])}>Requests</a>.
            </>
          )
        },
        {
          title: "Set the first budget",
          isDone: (limits.data?.data.length ?? 0) + (keyLimits.data?.data.length ?? 0) > 0,
          how: (
            <>
              Spending is unlimited until there is a budget, a limit of a key or credits:{" "}
              <a href={toHash(["spend"])}>
                {session.allow.includes("budgets") ? "set a budget" : "see the limits"}
              </a>
              .
            </>
          )
        }
      ]
  // What is done stays done, so it is not read again.
  const isOver = steps?.every(({ isDone }) => isDone) === true
  useEffect(() => setDone(isOver), [isOver])
  return steps
}
