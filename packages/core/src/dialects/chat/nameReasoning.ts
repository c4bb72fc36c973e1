/** Names how much a model reasons as the list of an endpoint does. */
import type { ChatCall } from "../../engine/upstreams/ChatCapability.ts"
import { reportChanges, RequestChanges } from "../RequestChanges.ts"
import { reasoningNames, renameReasoning } from "./reasoningParameters.ts"

type Parameters = Readonly<Record<string, unknown>>

/** The same parameters where the endpoint has no list, or their names are in it. The messages may stand among them. */
export const nameReasoning = (
  parameters: Parameters,
  call: Pick<ChatCall, "native"> & {
    readonly supportedParameters: ChatCall["supportedParameters"] | undefined
    readonly onChange: ChatCall["onChange"] | undefined
  },
  /** The cap of the answer, as the caller set it. */
  cap: number | undefined
): Parameters => {
  const { native, supportedParameters: supported } = call
  if (supported === undefined) return parameters
  const taken = reasoningNames.filter((name) => supported.has(name))
  if (taken.length === 0) return parameters
  const changes = new RequestChanges()
  const isTranslated = native.dialect !== "chat"
  const renamed = renameReasoning(parameters, taken, { cap, isTranslated, changes })
  if (renamed !== parameters) reportChanges(call, changes)
  return renamed
}
