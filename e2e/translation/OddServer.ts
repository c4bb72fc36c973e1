/** Scripted providers whose next answer a test sets, asked by each API in front, whole and streamed. */
import { onTestFinished } from "vitest"
import type { ChatSummary } from "../dialects/askChat.ts"
import { DialectServer } from "../dialects/DialectServer.ts"
import type { InboundApi } from "../dialects/InboundApi.ts"
import { inboundApis } from "../dialects/InboundApi.ts"
import type { Json, NativeAnswer } from "../dialects/NativeAnswer.ts"
import type { ProviderDialect } from "../dialects/ProviderDialect.ts"
import { sendNative } from "../dialects/sendNative.ts"
import { chatChunk, chatDone, chatUsageChunk, toChatUsage } from "../dialects/writeChat.ts"
import { model, nativeUsage } from "../dialects/NativeAnswer.ts"

/** Every API in front, in both forms of an answer. */
export const callers = inboundApis.flatMap((api) =>
  [false, true].map((isStreamed) => ({ api, isStreamed, name: api.name }))
)

type Caller = (typeof callers)[number]

interface Asked extends ChatSummary {
  /** What the caller received, as it was written. */
  readonly text: string
  /** What the provider received. */
  readonly sent: Json
}

export interface OddServer {
  readonly server: DialectServer
  readonly ask: (
    caller: Pick<Caller, "api" | "isStreamed">,
    answer: NativeAnswer,
    options?: { readonly provider?: ProviderDialect; readonly request?: Json }
  ) => Promise<Asked>
}

const question = [{ role: "user", content: "Is it calm at sea?" }]

/** Ends with the test. */
export const startOddServer = async (): Promise<OddServer> => {
  let next: NativeAnswer = {}
  const server = await DialectServer.start({
    answer: (request, response) => sendNative(next, request, response),
    price: { prompt: "0.000001", completion: "0.000002" }
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return {
    server,
    ask: async ({ api, isStreamed }, answer, { provider = "chat", request } = {}) => {
      next = answer
      let text = ""
      const summary = await api.ask(
        server,
        { model: `proof/${provider}`, ...toBody(api, question), ...request },
        isStreamed,
        (received) => (text = received)
      )
      return { ...summary, text, sent: (server.requests.at(-1)?.json ?? {}) as Json }
    }
  }
}

/** Messages that every API can say. */
export const toBody = (api: InboundApi, messages: ReadonlyArray<Json>): Json => {
  const body = api.toBody(messages)
  if (body === undefined) throw new Error(`${api.name} cannot say this`)
  return body
}

/** A whole answer of the chat dialect with this message. */
export const wholeChat = (message: Json, finish: unknown = "stop", rest: Json = {}): Json => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1_700_000_000,
  model,
  choices: [
    {
      index: 0,
      message: { role: "assistant", ...message },
      ...(finish === undefined ? undefined : { finish_reason: finish })
    }
  ],
  usage: toChatUsage(nativeUsage),
  ...rest
})

/** The events of a streamed answer of the chat dialect with these deltas. */
export const streamedChat = (deltas: ReadonlyArray<Json>, finish: unknown = "stop") => [
  chatChunk({ role: "assistant", content: "" }),
  ...deltas.map((delta) => chatChunk(delta)),
  ...(finish === undefined ? [] : [chatChunk({}, finish as string | null)]),
  chatUsageChunk(),
  chatDone
]
