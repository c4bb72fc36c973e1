/** Gives the canary of the demo a day of measurements, so that there is something to judge from the first minute on. */
import type { Signalbox } from "@signalbox/core"
import { type ExperimentMeasures, ExperimentStore, NanoUsd } from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

export const seedCanary = async (
  instance: Pick<Signalbox, "context" | "experiments">,
  now: number
): Promise<void> => {
  const store = Context.get(instance.context, ExperimentStore)
  const { data } = await instance.experiments.list()
  for (const { id } of data) await Effect.runPromise(store.add(id, 1, measures, now))
}

/** Requests of one side, which took about a second; a bucket less is 15 % shorter. */
const makeArm = (requests: number, errors: number, usd: number, bucket: number) => {
  const cost = NanoUsd.fromUsdNumber(usd)
  return {
    requests,
    errors,
    latency: { count: requests - errors, first: bucket, counts: [requests - errors] },
    cost,
    // As if they varied by seven tenths of their mean.
    costSquares: (cost * cost * 3n) / (2n * BigInt(requests))
  }
}

/** It costs a fifth less, as its prices do, and is a little faster. */
const measures: ExperimentMeasures = {
  control: makeArm(1_180, 9, 2.95, 66),
  trial: makeArm(296, 2, 0.59, 65),
  compared: 0,
  agreed: 0,
  skipped: 0,
  unmeasured: 0
}
