/** The built-in host of interns with some steps before the start; one of these fails at first for one intern. */
import {
  type InProcessHostOptions,
  type InternHost,
  InternHostFailure,
  makeInProcessHost
} from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"

/** The intern whose first provisioning fails. */
export const unluckyName = "mail-room"

export const makeDemoInternHost = ({ domain }: InProcessHostOptions = {}): InternHost => {
  const host = makeInProcessHost(domain === undefined ? {} : { domain })
  return {
    ...host,
    slug: "demo",
    steps: [
      { label: "Preparing the disk", run: () => pause },
      {
        label: "Connecting the mailbox",
        run: ({ name, run }) =>
          name === unluckyName && run <= 1 ? Effect.andThen(pause, mailboxFailure) : pause
      },
      ...host.steps
    ]
  }
}

/** Long enough to be seen. */
const pause = Effect.sleep("1500 millis")

const mailboxFailure = Effect.fail(
  new InternHostFailure({
    problem: "the mail server refused the login; provision the intern again",
    isFinal: true
  })
)
