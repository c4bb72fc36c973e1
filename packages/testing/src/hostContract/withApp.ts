/** Puts a response of the test's own where the service would answer, everything around it kept. */
import { type Signalbox } from "@signalbox/core"
import { App, webHandler } from "@signalbox/core/adapter"
import * as Context from "effect/Context"

export type Respond = App["Service"]["respond"]

/** The same box, whose operations are all answered by `respond`. */
export const withApp = (box: Signalbox, respond: Respond): Signalbox => {
  const context = Context.add(box.context, App, { ...Context.get(box.context, App), respond })
  return { ...box, context, fetch: webHandler(context) }
}
