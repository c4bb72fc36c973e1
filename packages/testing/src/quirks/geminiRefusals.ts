/** What Gemini refuses in its own API. */
import { findValues } from "./Condition.ts"
import type { RefusesQuirk } from "./Quirk.ts"
import { isForeign } from "./signatures.ts"

const invalid = (message: string) => ({ error: { code: 400, message, status: "INVALID_ARGUMENT" } })

const question = { role: "user", content: "Is it calm at sea?" }
const call = {
  id: "call_1",
  type: "function",
  function: { name: "look", arguments: '{"at":"east"}' }
}

const listCalls = (content: unknown) => findValues(content, "parts[].functionCall").filter(Boolean)
const listResults = (content: unknown) =>
  findValues(content, "parts[].functionResponse").filter(Boolean)

/** JSON with one of these names in it. */
const has = (value: unknown, ...names: ReadonlyArray<string>): boolean =>
  names.some((name) => (JSON.stringify(value) ?? "").includes(`"${name}":`))

/** In the current turn, which begins behind the last text of the user. */
const needsSignature = (body: unknown): boolean => {
  const contents = findValues(body, "contents[]")
  const begin = contents.findLastIndex(
    (content) =>
      findValues(content, "role")[0] === "user" &&
      findValues(content, "parts[].text").some((text) => text !== undefined)
  )
  return contents.slice(begin + 1).some((content) => {
    const first = findValues(content, "parts[]").find(
      (part) => findValues(part, "functionCall")[0] !== undefined
    )
    return first !== undefined && typeof findValues(first, "thoughtSignature")[0] !== "string"
  })
}

/** A request whose conversation has a call without its signature. */
const unsignedCall = {
  contents: [
    { role: "user", parts: [{ text: "Hi" }] },
    { role: "model", parts: [{ functionCall: { name: "look", args: {} } }] }
  ]
}

const missing =
  "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance."

export const geminiRefusals: ReadonlyArray<RefusesQuirk> = [
  {
    id: "gemini.five-stops",
    kind: "refuses",
    providers: ["gemini"],
    dialect: "gemini",
    what: "`stopSequences` has at most five texts.",
    source: "https://ai.google.dev/api/generate-content#generationconfig",
    handling: "The first five are sent.",
    when: { path: "generationConfig.stopSequences", above: 5 },
    example: { generationConfig: { stopSequences: ["a", "b", "c", "d", "e", "f"] } },
    status: 400,
    error: invalid("stop_sequences must have at most 5 elements"),
    asked: {
      body: {
        chat: { stop: ["1.", "2.", "3.", "4.", "5.", "6."] },
        messages: { stop_sequences: ["1.", "2.", "3.", "4.", "5.", "6."] }
      }
    }
  },
  {
    id: "gemini.needs-signature",
    kind: "refuses",
    providers: ["gemini"],
    dialect: "gemini",
    what: "The first call of a step must come back with its `thoughtSignature`.",
    source: "https://github.com/NousResearch/hermes-agent/issues/14488",
    handling: "It goes back to its call, from every API.",
    models: /^gemini-[3-9]/,
    when: (body) =>
      needsSignature(body) ||
      findValues(body, "contents[].parts[].thoughtSignature").some(
        (value) => value !== undefined && isForeign(value, "gemini")
      ),
    example: unsignedCall,
    status: 400,
    error: invalid(missing),
    asked: { after: "gemini.signed-call" }
  },
  {
    id: "gemini.needs-signature-of-others",
    kind: "refuses",
    providers: ["gemini"],
    dialect: "gemini",
    what: "The same counts for the calls that another provider's model made.",
    source: "https://github.com/Rahularya01/pi-antigravity/pull/22",
    handling:
      "Such a call goes with Google's value for foreign history, `skip_thought_signature_validator`.",
    models: /^gemini-[3-9]/,
    when: needsSignature,
    example: unsignedCall,
    status: 400,
    error: invalid(missing),
    asked: { after: "ollama.stop-after-calls" }
  },
  {
    id: "gemini.no-json-schema",
    kind: "refuses",
    providers: ["gemini"],
    dialect: "gemini",
    what: "`parameters` of a tool is no JSON Schema: `additionalProperties`, `$schema`, `propertyNames` and others are unknown.",
    source: "https://github.com/felinics/Memoh/issues/620",
    handling: "Schemas go as `parametersJsonSchema`, which is one.",
    when: (body) =>
      has(
        findValues(body, "tools[].functionDeclarations[].parameters").filter(Boolean),
        "additionalProperties",
        "$schema",
        "propertyNames",
        "patternProperties",
        "$ref"
      ),
    example: {
      tools: [
        {
          functionDeclarations: [
            { name: "look", parameters: { type: "object", additionalProperties: false } }
          ]
        }
      ]
    },
    status: 400,
    error: invalid(
      "Invalid JSON payload received. Unknown name \"additionalProperties\" at 'tools[0].function_declarations[0].parameters': Cannot find field."
    ),
    asked: {
      tools: {
        look: {
          $schema: "http://json-schema.org/draft-07/schema#",
          type: "object",
          additionalProperties: false,
          properties: { at: { type: "object", propertyNames: { pattern: "^a" } } }
        }
      }
    }
  },
  {
    id: "gemini.results-for-each-call",
    kind: "refuses",
    providers: ["gemini"],
    dialect: "gemini",
    what: "A turn with calls needs as many results in the next one.",
    source: "https://github.com/microsoft/vscode/issues/299295",
    handling:
      "All results of a step go together, in the order of the calls; a call that was interrupted gets one that says so.",
    when: (body) => {
      const contents = findValues(body, "contents[]")
      return contents.some(
        (content, at) =>
          listCalls(content).length > 0 &&
          listResults(contents[at + 1]).length !== listCalls(content).length
      )
    },
    example: {
      contents: [
        { role: "user", parts: [{ text: "Hi" }] },
        {
          role: "model",
          parts: [
            { functionCall: { name: "look", args: {} } },
            { functionCall: { name: "look", args: {} } }
          ]
        },
        { role: "user", parts: [{ functionResponse: { name: "look", response: {} } }] }
      ]
    },
    status: 400,
    error: invalid(
      "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn."
    ),
    asked: {
      tools: { look: {} },
      messages: [
        question,
        { role: "assistant", content: null, tool_calls: [call, { ...call, id: "call_2" }] },
        { role: "tool", tool_call_id: "call_2", content: "Calm." },
        { role: "user", content: "And now?" }
      ]
    }
  },
  {
    id: "gemini.call-after-user",
    kind: "refuses",
    providers: ["gemini"],
    dialect: "gemini",
    what: "A turn with calls must follow a turn of the user or the results of other calls.",
    source: "https://github.com/google-gemini/gemini-cli/issues/26486",
    handling: "Turns of the model that follow each other are one turn.",
    when: (body) => {
      const contents = findValues(body, "contents[]")
      return contents.some(
        (content, at) =>
          listCalls(content).length > 0 && findValues(contents[at - 1], "role")[0] !== "user"
      )
    },
    example: {
      contents: [
        { role: "user", parts: [{ text: "Hi" }] },
        { role: "model", parts: [{ text: "Yes." }] },
        { role: "model", parts: [{ functionCall: { name: "look", args: {} } }] }
      ]
    },
    status: 400,
    error: invalid(
      "Please ensure that function call turn comes immediately after a user turn or after a function response turn."
    ),
    asked: {
      tools: { look: {} },
      messages: [
        question,
        { role: "assistant", content: "I shall look." },
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", tool_call_id: "call_1", content: "Calm." }
      ]
    }
  },
  {
    id: "gemini.no-empty-parts",
    kind: "refuses",
    providers: ["gemini"],
    dialect: "gemini",
    what: "A turn must have parts.",
    source: "https://github.com/google-gemini/gemini-cli/pull/7769",
    handling: "A turn without anything is left out.",
    when: (body) =>
      findValues(body, "contents[]").some((content) => findValues(content, "parts[]").length === 0),
    example: { contents: [{ role: "user", parts: [] }] },
    status: 400,
    error: invalid(
      "Unable to submit request because it must include at least one parts field, which describes the prompt input."
    ),
    asked: {
      messages: [
        question,
        { role: "assistant", content: "" },
        { role: "user", content: "Are you there?" }
      ]
    }
  },
  {
    id: "gemini.tool-names",
    kind: "refuses",
    providers: ["gemini"],
    dialect: "gemini",
    what: "The name of a tool begins with a letter or `_`, and has at most 64 letters, digits, `_`, `.`, `:` and `-`.",
    source: "https://github.com/kaitranntt/ccs/issues/219",
    handling: "Another name goes as one that fits, and every caller gets its own name back.",
    when: (body) =>
      findValues(body, "tools[].functionDeclarations[].name").some(
        (name) => typeof name === "string" && !/^[a-zA-Z_][\w.:-]{0,63}$/.test(name)
      ),
    example: { tools: [{ functionDeclarations: [{ name: "3d_look" }] }] },
    status: 400,
    error: invalid(
      "The GenerateContentRequest proto is invalid: * tools[0].function_declarations[0].name: [FIELD_INVALID] Invalid function name. Must start with a letter or an underscore."
    ),
    asked: { tools: { "3d_look": {} } }
  }
]
