/** Makes the request of the playground of what was typed. */
import type { Json } from "../route/request.ts"
import { parseTools } from "./parseTools.ts"
import type { PlaygroundKind } from "./toCode.ts"

export interface Typed {
  readonly kind: PlaygroundKind
  readonly prompt: string
  /** Tools of a chat, as JSON. */
  readonly tools: string
  /** Whether a chat is shown while it is written. */
  readonly isStreamed: boolean
  /** Fields beside the model and the prompt, as JSON. */
  readonly more: string
}

/** What a new playground asks. */
export const examples: Readonly<Record<PlaygroundKind, Pick<Typed, "more" | "prompt">>> = {
  chat: { prompt: "Is it calm at sea?", more: '{ "max_tokens": 200 }' },
  decisions: {
    prompt: "I was charged twice, and nobody answers. Refund me, or I cancel.",
    more: JSON.stringify(
      {
        questions: {
          leaving: { type: "noul", instructions: "Is this customer about to leave?" },
          team: {
            type: "choice",
            instructions: "Which team should answer?",
            criteria: { billing: "Charges and refunds", technical: "Errors and crashes" }
          }
        }
      },
      null,
      2
    )
  }
}

/** The problem, if the fields are no JSON object, or the tools are none. */
export const makeRequest = (
  { isStreamed, kind, more, prompt, tools: typedTools }: Typed,
  model: string
): Json | string => {
  let fields: unknown
  try {
    fields = more.trim() === "" ? {} : JSON.parse(more)
  } catch (problem) {
    return `The other fields are no JSON: ${problem instanceof Error ? problem.message : ""}`
  }
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) {
    return "The other fields must be an object."
  }
  if ("stream" in fields) return "Leave `stream` out of the other fields: its box decides."
  if (kind === "decisions") return { model, state: prompt, ...fields }
  const tools = parseTools(typedTools)
  if (typeof tools === "string") return tools
  if (tools.length > 0 && "tools" in fields) return "The other fields have tools, too."
  return {
    model,
    messages: [{ role: "user", content: prompt }],
    ...(tools.length > 0 ? { tools } : undefined),
    ...(isStreamed ? { stream: true } : undefined),
    ...fields
  }
}
