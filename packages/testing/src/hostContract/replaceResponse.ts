/** Replaces the responses of the service, but not the adapter around it. */
import type { Signalbox } from "@signalbox/core"
import { App, makeWebHandler, type Respond } from "@signalbox/core/adapter"
import * as Context from "effect/Context"

/** The same instance, with `respond` for every operation. */
export const replaceResponse = (instance: Signalbox, respond: Respond): Signalbox => {
  const context = Context.add(instance.context, App, {
    ...Context.get(instance.context, App),
    respond
  })
  return { ...instance, context, fetch: makeWebHandler(context) }
}
