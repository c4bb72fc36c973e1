/** Answers what load balancers ask: whether the process lives, and whether it wants requests. */
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { draining } from "./errors/refusalOf.ts"
import { refuse } from "./errors/refuse.ts"
import { jsonAnswer } from "./jsonAnswer.ts"
import type { Operation } from "./routes.ts"

/** A process that shuts down is alive: restarting it would cut what it still serves. */
export const respondProbe = (
  { name }: Pick<Operation, "name">,
  isReady: boolean
): HttpServerResponse.HttpServerResponse => {
  if (name === "live") return jsonAnswer({ status: "live" })
  return isReady ? jsonAnswer({ status: "ready" }) : refuse(draining)
}
