/** What a provider may do by itself while it answers: tools that it runs, and content that it has stored. */
import * as Schema from "effect/Schema"

/**
 * What a call costs besides tokens. `search`: the price of a web search. `none`: nothing. `unknown`: something that no
 * price of the catalog covers, such as a container or another model.
 */
export type ServerToolFee = "none" | "search" | "unknown"

/** One tool that the provider runs itself, or one source that it reads. */
export const ServerTool = Schema.Struct({
  /** Where the request has it, such as `tools.3`. */
  path: Schema.String,
  /** Its type, such as `web_search_20250305`, or the field that asks for it, such as `web_search_options`. */
  type: Schema.String,
  /** The parameter of a chat that an endpoint's list must name for it to be sent. */
  parameter: Schema.String,
  fee: Schema.Literals(["none", "search", "unknown"]),
  /** The most calls, by the request; absent: it sets no bound. */
  maxCalls: Schema.optionalKey(Schema.Finite),
  /** The most turns of the model that it allows, by the request or by what it is; absent: unknown. */
  maxTurns: Schema.optionalKey(Schema.Finite)
})
export type ServerTool = typeof ServerTool.Type

/** A model that a tool names, which may answer or draw instead of the requested model. */
export interface ToolModel {
  /** Where the request names it, such as `tools.3.model`. */
  readonly path: string
  readonly name: string
}
