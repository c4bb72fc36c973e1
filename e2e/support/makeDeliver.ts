/** Creates a delivery that has already failed. */
import { randomUUID } from "node:crypto"
import { AccountId, defaultAccountId, type Signalbox as Instance } from "@signalbox/core"
import { Deliveries } from "@signalbox/core/adapter"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"

/** Returns the id of the delivery. */
export type Deliver = (workspace: string) => Promise<string>

export const makeDeliver =
  ({ context }: Instance, account: string = defaultAccountId): Deliver =>
  async (workspace) => {
    const actor = { account: AccountId.make(account) }
    const id = `${randomUUID()}-completed`
    // Callbacks to private addresses are not sent.
    const event = {
      ...actor,
      workspace,
      id,
      type: "video.generation.completed",
      at: 0,
      data: { id },
      callbackUrl: "https://127.0.0.1/"
    }
    const isOver = Effect.gen(function* () {
      const { get, offer } = yield* Deliveries
      yield* offer(event)
      yield* Effect.repeat(get(actor, id), {
        until: ({ state }) => state !== "pending",
        schedule: Schedule.spaced(5)
      })
    })
    await Effect.runPromise(Effect.provideContext(isOver, context))
    return id
  }
