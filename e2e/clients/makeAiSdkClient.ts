/** The AI SDK with a model of one of its providers. */
import * as latest from "ai"
import type { generateText, LanguageModel } from "ai"
import type { Asking, ChatClient, ClientReply, ClientTool } from "./ChatClient.ts"

type ProviderOptions = NonNullable<Parameters<typeof generateText>[0]["providerOptions"]>

/** What the tests use of a version of the AI SDK. */
export type AiSdk = Pick<
  typeof latest,
  "AISDKError" | "APICallError" | "generateText" | "isStepCount" | "Output" | "streamText" | "tool"
>

interface AiSdkModel extends Pick<
  ChatClient,
  "isInProcess" | "name" | "overlooksStreamErrors" | "returnsReasoning"
> {
  /** Default: the latest. */
  readonly sdk?: AiSdk
  readonly make: (asking: Asking) => LanguageModel
  readonly providerOptions?: ProviderOptions
}

// It warns of every model that it does not know.
globalThis.AI_SDK_LOG_WARNINGS = false

export const makeAiSdkClient = ({
  make,
  providerOptions = {},
  sdk = latest,
  ...facts
}: AiSdkModel): ChatClient => {
  const { AISDKError, APICallError, generateText, isStepCount, Output, streamText } = sdk
  const toOptions = (asking: Asking) => ({
    model: make(asking),
    prompt: asking.prompt,
    providerOptions,
    maxRetries: 0,
    stopWhen: isStepCount(5),
    ...(asking.signal === undefined ? undefined : { abortSignal: asking.signal }),
    ...(asking.tools === undefined ? undefined : { tools: toToolSet(sdk, asking.tools) })
  })
  return {
    ...facts,
    ask: async (asking) => {
      const { finalStep } = await generateText(toOptions(asking))
      return toReply(finalStep)
    },
    stream: async (asking, onText) => {
      const result = streamText({ ...toOptions(asking), onError: () => {} })
      for await (const part of result.stream) {
        if (part.type === "text-delta") onText(part.text)
        if (part.type === "error") throw part.error
        if (part.type === "abort") asking.signal?.throwIfAborted()
      }
      return toReply(await result.finalStep)
    },
    extract: async (asking, schema) => {
      const { output } = await generateText({
        ...toOptions(asking),
        output: Output.object({ schema })
      })
      return output
    },
    isStatusError: (error, status) => APICallError.isInstance(error) && error.statusCode === status,
    isStreamError: (error) => AISDKError.isInstance(error)
  }
}

const toToolSet = ({ tool }: AiSdk, tools: ReadonlyArray<ClientTool>) =>
  Object.fromEntries(
    tools.map(({ description, name, run, schema }) => [
      name,
      tool({ description, inputSchema: schema, execute: (input: unknown) => run(input) })
    ])
  )

const toReply = ({
  text,
  usage
}: {
  readonly text: string
  readonly usage: {
    readonly inputTokens: number | undefined
    readonly outputTokens: number | undefined
  }
}): ClientReply => ({
  text,
  inputTokens: usage.inputTokens,
  outputTokens: usage.outputTokens
})
