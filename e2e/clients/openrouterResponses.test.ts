import { OpenRouter } from "@openrouter/sdk"
import { HTTPClient } from "@openrouter/sdk/lib/http.js"
import { OpenRouterError } from "@openrouter/sdk/models/errors"
import type { InputsUnion, OpenResponsesResult, ResponsesRequest } from "@openrouter/sdk/models"
import * as z from "zod"
import type { Asking, ChatClient, ClientReply } from "./ChatClient.ts"
import { testChatClient } from "./testChatClient.ts"

type InputItem = Exclude<InputsUnion, string>[number]

const toRequest = (
  { model, tools = [] }: Asking,
  input: ReadonlyArray<InputItem>
): ResponsesRequest => ({
  model,
  input: [...input],
  // Signed reasoning is returned only on request.
  include: ["reasoning.encrypted_content"],
  tools: tools.map(({ description, name, schema }) => ({
    type: "function",
    name,
    description,
    parameters: z.toJSONSchema(schema)
  }))
})

/** The signal goes to `fetch` itself: one in the options of a request is lost with the next garbage collection. */
const makeClient = ({ apiKey, root, signal }: Asking): OpenRouter =>
  new OpenRouter({
    apiKey,
    serverURL: `${root}/api/v1`,
    retryConfig: { strategy: "none" },
    httpClient: new HTTPClient({
      fetcher: (input) => fetch(input, signal === undefined ? {} : { signal })
    })
  })

/** Calls the tools until the model answers. */
const loop = async (
  { prompt, tools = [] }: Asking,
  ask: (input: ReadonlyArray<InputItem>) => Promise<OpenResponsesResult>
): Promise<ClientReply> => {
  const input: Array<InputItem> = [{ role: "user", content: prompt }]
  for (;;) {
    const response = await ask(input)
    const { output, usage } = response
    const calls = output.filter((item) => item.type === "function_call")
    if (calls.length === 0) {
      const { inputTokens, outputTokens } = usage ?? {}
      return { text: toText(response), inputTokens, outputTokens }
    }
    // What comes out may have parts that the library does not know, which the types of what goes in do not allow.
    input.push(...(output as ReadonlyArray<InputItem>))
    for (const { arguments: given, callId, name } of calls) {
      const called = tools.find((each) => each.name === name)
      input.push({
        type: "function_call_output",
        callId,
        output: called?.run(JSON.parse(given)) ?? ""
      })
    }
  }
}

const toText = ({ output }: OpenResponsesResult): string =>
  output
    .flatMap((item) => (item.type === "message" ? item.content : []))
    .map((part) => (part.type === "output_text" ? part.text : ""))
    .join("")

const client: ChatClient = {
  name: "beta.responses of @openrouter/sdk",
  returnsReasoning: true,
  ask: (asking) =>
    loop(asking, async (input) => {
      const responsesRequest = { ...toRequest(asking, input), stream: false as const }
      const result = await makeClient(asking).beta.responses.send({ responsesRequest })
      if ("output" in result) return result
      throw new Error("the answer is a stream")
    }),
  stream: (asking, onText) =>
    loop(asking, async (input) => {
      const responsesRequest = { ...toRequest(asking, input), stream: true as const }
      const result = await makeClient(asking).beta.responses.send({ responsesRequest })
      if ("output" in result) throw new Error("the answer is no stream")
      for await (const event of result) {
        if (event.type === "response.output_text.delta") onText(event.delta)
        if (event.type === "response.completed" || event.type === "response.incomplete") {
          return event.response
        }
        if (event.type === "response.failed")
          throw new FailedResponse(event.response.error?.message)
      }
      throw new FailedResponse("the stream has no end")
    }),
  extract: async (asking, schema) => {
    const format = {
      type: "json_schema" as const,
      name: "weather",
      schema: z.toJSONSchema(schema)
    }
    const request = toRequest(asking, [{ role: "user", content: asking.prompt }])
    const responsesRequest = { ...request, stream: false as const, text: { format } }
    const result = await makeClient(asking).beta.responses.send({ responsesRequest })
    if ("output" in result) return JSON.parse(toText(result))
    throw new Error("the answer is a stream")
  },
  isStatusError: (error, status) => error instanceof OpenRouterError && error.statusCode === status,
  isStreamError: (error) => error instanceof FailedResponse
}

/** The library itself passes the event on. */
class FailedResponse extends Error {}

testChatClient(import.meta.filename, client)
