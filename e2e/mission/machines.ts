/** Interns on machines that a service runs. A call of the service carries the secret that the vault releases for it. */
import {
  type HostedIntern,
  InternChatFailure,
  type InternHost,
  InternHostFailure
} from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"

/** The host that the secrets are for. */
const agentHost = "agents.example.com"

export const machines = (url: string): InternHost => {
  const call = Effect.fnUntraced(function* (what: string, intern: HostedIntern, prompt = "") {
    const [secret] = yield* Effect.orDie(intern.releaseSecrets(agentHost))
    return yield* Effect.tryPromise(async (signal) => {
      const response = await fetch(url, {
        method: "POST",
        signal,
        headers: secret === undefined ? {} : { authorization: Redacted.value(secret.value) },
        body: JSON.stringify({ what, intern: intern.name, prompt })
      })
      if (!response.ok) throw new Error(`the machine answered ${response.status}`)
      return response.text()
    })
  })
  const run = (what: string) => (intern: HostedIntern) =>
    Effect.mapError(
      Effect.asVoid(call(what, intern)),
      () => new InternHostFailure({ problem: `${what} failed` })
    )
  return {
    slug: "machines",
    steps: [
      { label: "Creating the disk", run: run("create"), undo: run("remove") },
      { label: "Booting", run: run("boot") }
    ],
    suspend: run("stop"),
    destroy: run("remove"),
    chat: (intern, { prompt, session = intern.id }) =>
      call("chat", intern, prompt.text).pipe(
        Effect.mapError(
          () =>
            new InternChatFailure({
              reason: "intern_unreachable",
              problem: "the machine is unreachable"
            })
        ),
        Effect.map((content) => ({
          type: "stream" as const,
          session,
          events: Stream.make({ type: "delta" as const, content }, { type: "end" as const })
        }))
      )
  }
}
