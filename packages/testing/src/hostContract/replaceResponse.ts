/** Puts a response of the test's own where the service would answer, everything around it kept. */
import { type Signalbox } from "@signalbox/core"
import { App, makeWebHandler } from "@signalbox/core/adapter"
import * as Context from "effect/Context"

export type Respond = App["Service"]["respond"]

/** The same box, whose operations are all answered by `respond`. */
export const replaceResponse = (instance: Signalbox, respond: Respond): Signalbox => {
  const context = Context.add(instance.context, App, {
    ...Context.get(instance.context, App),
    respond
  })
  return { ...instance, context, fetch: makeWebHandler(context) }
}
