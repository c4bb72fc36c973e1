/** Writes the parts of an answer in the form of Effect's AI services. */
import type * as Response from "effect/ai/Response"
import { parseArguments } from "../dialects/CalledTool.ts"
import type { PartForms } from "../dialects/parts/PartForms.ts"

type Common =
  | Response.FilePartEncoded
  | Response.ToolCallPartEncoded
  | Response.UrlSourcePartEncoded

const toMetadata = <A>(
  signalbox: A | undefined
): { readonly metadata: { readonly signalbox: A } } | undefined =>
  signalbox === undefined ? undefined : { metadata: { signalbox } }

/** What is no URL has no place in a source. */
const toSource = (url: string, title: string): ReadonlyArray<Response.UrlSourcePartEncoded> =>
  URL.canParse(url) ? [{ type: "source", sourceType: "url", id: url, url, title }] : []

export const partForms: PartForms<Common, Response.PartEncoded, Response.StreamPartEncoded> = {
  writeCall: (call, metadata) => ({
    type: "tool-call",
    id: call.id,
    name: call.name,
    // What is no JSON fails the schema of the tool, whose failure mode decides.
    params: parseArguments(call) ?? call.arguments,
    ...toMetadata(metadata)
  }),
  // Files have no URLs, so these are sources.
  writeMedia: ({ source, type }) => {
    if (source.type === "url") return toSource(source.url, type)
    if (source.type === "id") return []
    return [{ type: "file", mediaType: source.mediaType, data: source.data }]
  },
  writeSource: ({ title, url }) => toSource(url, title ?? url),
  writeText: (text, metadata) => ({ type: "text", text, ...toMetadata(metadata) }),
  writeReasoning: (text, metadata) => ({ type: "reasoning", text, ...toMetadata(metadata) }),
  startText: (id) => ({ type: "text-start", id }),
  extendText: (id, delta) => ({ type: "text-delta", id, delta }),
  endText: (id, metadata) => ({ type: "text-end", id, ...toMetadata(metadata) }),
  startReasoning: (id, metadata) => ({ type: "reasoning-start", id, ...toMetadata(metadata) }),
  extendReasoning: (id, delta) => ({ type: "reasoning-delta", id, delta }),
  endReasoning: (id, metadata) => ({ type: "reasoning-end", id, ...toMetadata(metadata) }),
  startCall: (id, name) => ({ type: "tool-params-start", id, name }),
  extendCall: (id, delta) => ({ type: "tool-params-delta", id, delta }),
  endCall: (id) => ({ type: "tool-params-end", id })
}
