/** Restricts the bodies of actions to what the host allows, where an operation of the HTTP API can do more. */
import { type IncomingRequest, makeReadBody, type OperationId } from "@signalbox/core/adapter"
import * as Effect from "effect/Effect"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { ActionGroup } from "./actionGroups.ts"
import { refuse } from "./refuse.ts"

interface BodyRule {
  readonly isAllowed: (body: unknown) => boolean
  /** Said of any other body. */
  readonly problem: string
}

const rules: ReadonlyMap<string, BodyRule> = new Map<OperationId, BodyRule>([
  [
    "keys.update",
    {
      isAllowed: (body) =>
        typeof body === "object" &&
        body !== null &&
        Object.keys(body).join() === "disabled" &&
        "disabled" in body &&
        typeof body.disabled === "boolean",
      problem: "the console only disables and enables keys: send `disabled` and nothing else"
    }
  ]
])

/** Answers a request whose body is not allowed. Otherwise, the server gets the body that was checked. */
export const restrictBody = (
  request: IncomingRequest,
  operation: string,
  allow: ReadonlySet<ActionGroup>
): Effect.Effect<HttpServerResponse.HttpServerResponse | undefined> => {
  const rule = allow.has("keys") ? undefined : rules.get(operation)
  if (rule === undefined) return Effect.undefined
  const refused = refuse(400, rule.problem)
  return Effect.flatMap(makeReadBody, (readBody) => readBody(request, limit)).pipe(
    Effect.map(({ json }) => {
      if (!rule.isAllowed(json)) return refused
      request.hostBody = { value: json }
      return undefined
    }),
    Effect.catch(() => Effect.succeed(refused))
  )
}

/** Far more than what is allowed. */
const limit = { bytes: 1_024, depth: 8, nodes: 64, nodesSetting: "maxJsonNodes" } as const
