/** Handlers of the operations on traffic. */
import * as Effect from "effect/Effect"
import { makeControlPreview } from "../../domains/simulator/makeControlPreview.ts"
import { makeTrafficManagement } from "../../routing/traffic/makeTrafficManagement.ts"
import type { Handlers } from "../operation/Handler.ts"
import type { TrafficApi } from "./TrafficApi.ts"

export const trafficHandlers = Effect.gen(function* () {
  const { list, set } = yield* makeTrafficManagement
  const preview = yield* makeControlPreview
  return {
    listControls: () => Effect.map(list, (data) => ({ data })),
    previewControl: ({ query: { minutes, ...control } }) =>
      Effect.map(preview(control, minutes), (data) => ({ data })),
    setControl: ({ payload }, { caller }) => Effect.map(set(caller, payload), (data) => ({ data }))
  } satisfies Handlers<typeof TrafficApi>
})
