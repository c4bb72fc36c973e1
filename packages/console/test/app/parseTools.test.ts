import { expect, test } from "vitest"
import { exampleTools, parseTools, toToolName } from "../../app/pages/playground/parseTools.ts"

const named = (name: unknown, more: object = {}) => ({
  type: "function",
  function: { name, ...more }
})

test.each([
  ["{", "The tools are no JSON: "],
  ["{}", "The tools must be a list: [ … ]."],
  ["[1]", "Tool 1 must be an object."],
  [JSON.stringify([named("a"), {}]), 'Tool 2 needs a type, such as "type": "function".'],
  [`[{ "type": "function", "name": "flat" }]`, 'Tool 1 needs a function: { "name": … }.'],
  [
    JSON.stringify([named("get weather")]),
    "Tool 1 needs a name of at most 64 letters, digits, _ and -."
  ],
  [
    JSON.stringify([named("a", { parameters: [] })]),
    'The parameters of a must be a JSON Schema, such as { "type": "object" }.'
  ],
  [JSON.stringify([named("__proto__"), named("__proto__")]), "Two tools have the name __proto__."]
])("%s is refused", (text, problem) => {
  expect(parseTools(text)).toContain(problem)
})

test.each([
  ["  ", []],
  [exampleTools, ["get_weather"]],
  [`[{ "type": "openrouter:web_search" }]`, ["openrouter:web_search"]]
])("%s has the tools %j", (text, names) => {
  const tools = parseTools(text)
  expect(typeof tools === "string" ? tools : tools.map(toToolName)).toEqual(names)
})
