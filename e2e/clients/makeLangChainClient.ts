/** LangChain with one of its chat models. */
import type { BaseChatModel } from "@langchain/core/language_models/chat_models"
import {
  type AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  type UsageMetadata
} from "@langchain/core/messages"
import { type DynamicStructuredTool, tool } from "@langchain/core/tools"
import { getProperty } from "../support/getProperty.ts"
import type { Asking, ChatClient, ClientReply } from "./ChatClient.ts"
import { hasClass } from "./hasClass.ts"

interface LangChainModel extends Pick<
  ChatClient,
  "extractTool" | "name" | "readsInputTokensAtStart" | "returnsReasoning"
> {
  readonly make: (asking: Asking) => BaseChatModel
  /** The base class of errors in the library below, of which LangChain has its own version. */
  readonly errorClass: string
}

export const makeLangChainClient = ({
  errorClass,
  make,
  ...facts
}: LangChainModel): ChatClient => ({
  ...facts,
  ask: (asking) => {
    const { model, options, tools } = prepare(make(asking), asking)
    return loop(asking, tools, (messages) => model.invoke([...messages], options))
  },
  stream: (asking, onText) => {
    const { model, options, tools } = prepare(make(asking), asking)
    return loop(asking, tools, async (messages) => {
      let answer: AIMessageChunk | undefined
      for await (const chunk of await model.stream([...messages], options)) {
        onText(chunk.text)
        answer = answer === undefined ? chunk : answer.concat(chunk)
      }
      if (answer === undefined) throw new Error("the stream is empty")
      return answer
    })
  },
  extract: (asking, schema) => make(asking).withStructuredOutput(schema).invoke(asking.prompt),
  isStatusError: (error, status) =>
    hasClass(error, errorClass) && getProperty(error, "status") === status,
  isStreamError: (error) => hasClass(error, errorClass)
})

const prepare = (model: BaseChatModel, { signal, tools = [] }: Asking) => {
  const bound = tools.map(({ description, name, run, schema }) =>
    tool((input: unknown) => run(input), { name, description, schema })
  )
  return {
    model: bound.length === 0 ? model : model.bindTools!(bound),
    options: signal === undefined ? {} : { signal },
    tools: new Map(bound.map((each) => [each.name, each]))
  }
}

/** Calls the tools until the model answers. */
const loop = async (
  { prompt }: Asking,
  tools: ReadonlyMap<string, DynamicStructuredTool>,
  ask: (messages: ReadonlyArray<BaseMessage>) => Promise<AIMessageChunk>
): Promise<ClientReply> => {
  const messages: Array<BaseMessage> = [new HumanMessage(prompt)]
  for (;;) {
    const answer = await ask(messages)
    const { tool_calls: calls = [] } = answer
    if (calls.length === 0) return toReply(answer)
    messages.push(answer)
    for (const call of calls) {
      messages.push(await tools.get(call.name)!.invoke({ ...call, type: "tool_call" }))
    }
  }
}

const toReply = ({
  text,
  usage_metadata: usage
}: {
  readonly text: string
  readonly usage_metadata?: UsageMetadata | undefined
}): ClientReply => ({
  text,
  inputTokens: usage?.input_tokens,
  outputTokens: usage?.output_tokens
})
