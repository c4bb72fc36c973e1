/** Makes the request of the playground of what was typed. */
import type { Json } from "../route/request.ts"
import type { PlaygroundKind } from "./toCode.ts"

export interface Typed {
  readonly kind: PlaygroundKind
  readonly prompt: string
  /** Fields beside the model and the prompt, as JSON. */
  readonly more: string
}

/** What a new playground asks. */
export const examples: Readonly<Record<PlaygroundKind, Omit<Typed, "kind">>> = {
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

/** The problem, if the fields are no JSON object. */
export const makeRequest = ({ kind, more, prompt }: Typed, model: string): Json | string => {
  let fields: unknown
  try {
    fields = more.trim() === "" ? {} : JSON.parse(more)
  } catch (problem) {
    return `The other fields are no JSON: ${problem instanceof Error ? problem.message : ""}`
  }
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) {
    return "The other fields must be an object."
  }
  if ("stream" in fields && fields.stream === true) {
    return "Answers are shown whole here; leave `stream` out."
  }
  const said =
    kind === "chat" ? { messages: [{ role: "user", content: prompt }] } : { state: prompt }
  return { model, ...said, ...fields }
}
