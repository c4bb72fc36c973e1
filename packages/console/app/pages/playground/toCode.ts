/** A request as code for five clients. Addresses and keys are placeholders, which the console cannot know. */
import type { Json } from "../route/request.ts"
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
  const body = JSON.stringify(request, null, 2)
  switch (client) {
    case "curl":
      return toCurl(kind, request)
    case "Signalbox client":
      return `import { createClient } from "@signalbox/client"

const client = createClient({ baseUrl: process.env.SIGNALBOX_URL, apiKey: process.env.SIGNALBOX_API_KEY })
const answer = await client.${kind === "chat" ? "chat.complete" : "decisions.create"}(${body})`
    case "OpenAI SDK":
      return kind === "chat"
        ? `import OpenAI from "openai"

const client = new OpenAI({ baseURL: \`\${process.env.SIGNALBOX_URL}/api/v1\`, apiKey: process.env.SIGNALBOX_API_KEY })
const answer = await client.chat.completions.create(${body})`
        : undefined
    case "OpenAI SDK, Python":
      return kind === "chat"
        ? `import json, os
from openai import OpenAI

client = OpenAI(base_url=os.environ["SIGNALBOX_URL"] + "/api/v1", api_key=os.environ["SIGNALBOX_API_KEY"])
answer = client.chat.completions.create(**json.loads(r${quotePython(JSON.stringify(request))}))`
        : undefined
    case "AI SDK":
      return kind === "chat"
        ? `import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { generateText } from "ai"

const signalbox = createOpenAICompatible({
  name: "signalbox",
  baseURL: \`\${process.env.SIGNALBOX_URL}/api/v1\`,
  apiKey: process.env.SIGNALBOX_API_KEY
})
const answer = await generateText({
  model: signalbox(${JSON.stringify(request["model"])}),
  messages: ${JSON.stringify(request["messages"], null, 2)}
})`
        : undefined
  }
}

/** A string of JSON needs no triple quotes beyond those that end the literal. */
const quotePython = (json: string): string => `'''${json.replaceAll("'", String.raw`\u0027`)}'''`
