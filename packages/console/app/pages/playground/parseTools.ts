/** Reads the tools of a chat, and says what is wrong with them. Pure. */
import { isJson, type Json } from "../route/request.ts"

/** What the editor begins with when an example is asked for. */
export const exampleTools = JSON.stringify(
  [
    {
      type: "function",
      function: {
        name: "get_weather",
        description: "The weather of a place at present",
        parameters: {
          type: "object",
          properties: { place: { type: "string" } },
          required: ["place"]
        }
      }
    }
  ],
  null,
  2
)

/** The tools; a text says what is wrong. Without any text, there is none. */
export const parseTools = (text: string): ReadonlyArray<Json> | string => {
  if (text.trim() === "") return []
  let tools: unknown
  try {
    tools = JSON.parse(text)
  } catch (problem) {
    return `The tools are no JSON: ${problem instanceof Error ? problem.message : ""}`
  }
  if (!Array.isArray(tools)) return "The tools must be a list: [ … ]."
  const problem = tools.flatMap((tool, at) => findProblem(tool, at + 1) ?? []).at(0)
  if (problem !== undefined) return problem
  const found: ReadonlyArray<Json> = tools.filter(isJson)
  const names = found.map(toToolName)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  return twice === undefined ? found : `Two tools have the name ${twice}.`
}

/** Of a function its name, of another tool its type. */
export const toToolName = ({ function: described, type }: Json): string =>
  String(isJson(described) ? described["name"] : type)

const findProblem = (tool: unknown, number: number): string | undefined => {
  if (!isJson(tool)) return `Tool ${number} must be an object.`
  if (typeof tool["type"] !== "string") {
    return `Tool ${number} needs a type, such as "type": "function".`
  }
  // Others run at a server, whose own fields are not known here.
  if (tool["type"] !== "function") return undefined
  const { function: described } = tool
  if (!isJson(described)) return `Tool ${number} needs a function: { "name": … }.`
  const { name, parameters } = described
  if (typeof name !== "string" || !/^[\w-]{1,64}$/.test(name)) {
    return `Tool ${number} needs a name of at most 64 letters, digits, _ and -.`
  }
  if (parameters !== undefined && !isJson(parameters)) {
    return `The parameters of ${name} must be a JSON Schema, such as { "type": "object" }.`
  }
  return undefined
}
