/** What the account of an instance has spent, and what requests in flight have reserved; in nano-USD. */
import { defaultAccountId, type Signalbox } from "@signalbox/core"
import { Ledger } from "@signalbox/core/adapter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

export const findCredits = async ({
  context
}: Signalbox): Promise<{
  readonly settled: bigint | undefined
  readonly reserved: bigint | undefined
}> => {
  const credits = await Effect.runPromise(
    Context.get(context, Ledger).findCredits(defaultAccountId)
  )
  return { settled: credits?.settled, reserved: credits?.reserved }
}
