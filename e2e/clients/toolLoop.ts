/** A model that calls two tools at once, then another one, and answers. */
import { reply, type Step } from "@signalbox/testing"
import * as z from "zod"
import { getProperty } from "../support/getProperty.ts"
import type { ClientTool } from "./ChatClient.ts"
import type { ClientDialect } from "./startClientServer.ts"

const places = ['the sea, and then "the sky"', "the harbour 🌊"] as const
const lookSchema = z.object({ at: z.string().describe("Where to look") })

/** Ids and names as each API has them. */
const ids: Readonly<Record<ClientDialect, readonly [string, string, string]>> = {
  chat: ["functions.look:0", "functions.halt:1", "functions.look:2"],
  messages: ["toolu_01look", "toolu_02halt", "toolu_03look"],
  responses: ["call_01look", "call_02halt", "call_03look"]
}

const toLookCall = (id: string, at: string) => ({
  id,
  name: "look",
  arguments: JSON.stringify({ at })
})

export const makeLoopSteps = (
  dialect: ClientDialect,
  usage: { readonly inputTokens: number; readonly outputTokens: number }
): ReadonlyArray<Step> => {
  const [first, second, third] = ids[dialect]
  return [
    reply.chat(["Let me ", "look. "], {
      toolCalls: [toLookCall(first, places[0]), { id: second, name: "halt", arguments: "{}" }],
      reasoning: "The sea first.",
      usage
    }),
    reply.chat([], { toolCalls: [toLookCall(third, places[1])], usage }),
    reply.chat(["It ", "is ", "calm."], { usage })
  ]
}

/** What the tools are called with, and what they return, in the order of the calls. */
export const loopInputs = [{ at: places[0] }, {}, { at: places[1] }]
export const loopResults = ["Waves of one metre.", "Halted.", "Waves of two metres."]

/** The tools of the loop, and the inputs that they were called with. */
export const makeLoopTools = () => {
  const inputs: Array<unknown> = []
  const makeTool = (
    name: string,
    description: string,
    schema: z.ZodObject,
    run: (input: unknown) => string | undefined
  ): ClientTool => ({
    name,
    description,
    schema,
    run: (input) => {
      inputs.push(input)
      return run(input) ?? "Nothing."
    }
  })
  const tools: ReadonlyArray<ClientTool> = [
    makeTool("look", "Looks at something.", lookSchema, (input) =>
      getProperty(input, "at") === places[0] ? loopResults[0] : loopResults[2]
    ),
    makeTool("halt", "Stops the ship.", z.object({}), () => loopResults[1])
  ]
  return { inputs, tools }
}
