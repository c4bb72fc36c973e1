/** A request as code for five clients. Addresses and keys are placeholders, which the console cannot know. */
import { isJson, type Json } from "../route/request.ts"
import { toCurl } from "../requests/toCurl.ts"

export type PlaygroundKind = "chat" | "decisions"

export const clients = [
  "curl",
  "Signalbox client",
  "OpenAI SDK",
  "OpenAI SDK, Python",
  "AI SDK"
] as const
export type Client = (typeof clients)[number]

/** Undefined where a client has no such operation. */
export const toCode = (client: Client, kind: PlaygroundKind, request: Json): string | undefined => {
  if (client === "curl") return toCurl(kind, request)
  if (client === "Signalbox client") return toSignalboxCode(kind, request)
  if (kind === "decisions") return undefined
  switch (client) {
    case "OpenAI SDK":
      return toOpenAiCode(request)
    case "OpenAI SDK, Python":
      return toPythonCode(request)
    case "AI SDK":
      return toAiSdkCode(request)
  }
}

const isStreamed = ({ stream }: Json): boolean => stream === true

const toSignalboxCode = (kind: PlaygroundKind, { stream, ...request }: Json): string => {
  const body = JSON.stringify(request, null, 2)
  const head = `import { createClient } from "@signalbox/client"

const client = createClient({ baseUrl: process.env.SIGNALBOX_URL, apiKey: process.env.SIGNALBOX_API_KEY })
`
  if (stream === true) {
    return `${head}for await (const { choices } of client.chat.stream(${body})) {
  process.stdout.write(choices[0]?.delta.content ?? "")
}`
  }
  return `${head}const answer = await client.${kind === "chat" ? "chat.complete" : "decisions.create"}(${body})`
}

const toOpenAiCode = (request: Json): string => {
  const body = JSON.stringify(request, null, 2)
  return `import OpenAI from "openai"

const client = new OpenAI({ baseURL: \`\${process.env.SIGNALBOX_URL}/api/v1\`, apiKey: process.env.SIGNALBOX_API_KEY })
const answer = await client.chat.completions.create(${body})${
    isStreamed(request)
      ? `
for await (const { choices } of answer) process.stdout.write(choices[0]?.delta.content ?? "")`
      : ""
  }`
}

/** The client refuses fields that it does not know, unless they are in `extra_body`. */
const toPythonCode = (request: Json): string => `import json, os
from openai import OpenAI

client = OpenAI(base_url=os.environ["SIGNALBOX_URL"] + "/api/v1", api_key=os.environ["SIGNALBOX_API_KEY"])
request = json.loads(r${quotePython(JSON.stringify(request))})
answer = client.chat.completions.create(
    model=request.pop("model"), messages=request.pop("messages"), stream=request.pop("stream", False), extra_body=request
)${
  isStreamed(request)
    ? `
for chunk in answer:
    print(chunk.choices[0].delta.content or "" if chunk.choices else "", end="")`
    : ""
}`

/** Fields that the AI SDK has no parameter for go as they are. */
const toAiSdkCode = ({ messages, model, stream, tools, ...more }: Json): string => {
  const call = stream === true ? "streamText" : "generateText"
  const functions = Array.isArray(tools) ? tools.filter(isJson).map(toAiSdkTool) : []
  const extra = Object.keys(more).length > 0
  return `import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { ${[call, ...(functions.length > 0 ? ["jsonSchema", "tool"] : [])].join(", ")} } from "ai"

const signalbox = createOpenAICompatible({
  name: "signalbox",
  baseURL: \`\${process.env.SIGNALBOX_URL}/api/v1\`,
  apiKey: process.env.SIGNALBOX_API_KEY
})
const answer = ${stream === true ? "" : "await "}${call}({
  model: signalbox(${JSON.stringify(model)}),
  messages: ${indent(messages)}${functions.length > 0 ? `,\n  tools: {\n${functions.join(",\n")}\n  }` : ""}${
    extra ? `,\n  providerOptions: { signalbox: ${indent(more)} }` : ""
  }
})${
    stream === true
      ? "\nfor await (const text of answer.textStream) process.stdout.write(text)"
      : ""
  }`
}

const toAiSdkTool = ({ function: described, type }: Json): string => {
  const {
    description,
    name,
    parameters = { type: "object", properties: {} }
  } = isJson(described) ? described : { name: type }
  return `    ${JSON.stringify(name)}: tool({
      ${description === undefined ? "" : `description: ${JSON.stringify(description)},\n      `}inputSchema: jsonSchema(${JSON.stringify(parameters)})
    })`
}

const indent = (value: unknown): string => JSON.stringify(value, null, 2).replaceAll("\n", "\n  ")

/** A string of JSON needs no triple quotes beyond those that end the literal. */
const quotePython = (json: string): string => `'''${json.replaceAll("'", String.raw`\u0027`)}'''`
