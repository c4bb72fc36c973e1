/** What each provider is known to send reaches the callers of every API, whole and streamed. */
import { type ExpectedAnswer, quirks, reply, type SendsQuirk } from "@signalbox/testing"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { ChatSummary } from "../dialects/askChat.ts"
import { type InboundApi, inboundApis } from "../dialects/InboundApi.ts"
import { getProperty } from "../support/getProperty.ts"
import { parseChatEvents } from "../support/parseChatEvents.ts"
import type { Json } from "../dialects/NativeAnswer.ts"
import { quirkCallers } from "./QuirkCaller.ts"
import { QuirkServer, toQuirkModel } from "./QuirkServer.ts"

const question = { role: "user", content: "Is it calm at sea?" }

let server: QuirkServer
beforeAll(async () => {
  server = await QuirkServer.start()
})
afterAll(() => server[Symbol.asyncDispose]())

/** What is called is offered. */
const offerLook = (api: InboundApi["name"]): Json => ({
  tools: quirkCallers[api].toBody({ tools: { look: { type: "object" } } })["tools"]
})

const listApis = ({ apis }: SendsQuirk) =>
  inboundApis.filter(({ name }) => apis === undefined || apis.includes(name))

const rows = quirks
  .filter((quirk): quirk is SendsQuirk => quirk.kind === "sends")
  .flatMap((quirk) =>
    listApis(quirk).flatMap((api) => [
      ...(quirk.whole === undefined ? [] : [{ quirk, api, isStreamed: false }]),
      ...(quirk.events === undefined ? [] : [{ quirk, api, isStreamed: true }])
    ])
  )
  .map(
    (row) =>
      [
        `${row.quirk.id}, by ${row.api.name}, ${row.isStreamed ? "streamed" : "whole"}`,
        row
      ] as const
  )

test.each(rows)("%s", async (_, { api, isStreamed, quirk }) => {
  const { id, upstream } = server.find(toQuirkModel(quirk))
  upstream.always(reply.quirk(quirk))
  const texts: Array<string> = []
  const summary = await api.ask(
    server,
    {
      model: id,
      ...api.toBody([question]),
      ...(quirk.expected.calls !== undefined && offerLook(api.name))
    },
    isStreamed,
    (text) => texts.push(text)
  )
  const { by, expected } = quirk
  const wanted = { ...expected, ...by?.[api.name], ...(isStreamed ? by?.streamed : undefined) }
  expect(toAnswer(summary, wanted)).toEqual(toComparable(wanted))
  if (api.name === "chat" && isStreamed) checkIndices(texts[0] ?? "")
})

const toComparable = ({
  calls = [],
  error,
  finish = calls.length > 0 ? "tool_calls" : "stop",
  text = "",
  thinking = "",
  usage
}: ExpectedAnswer) => ({
  text,
  thinking,
  calls: calls.map(({ id, ...call }) => ({ id: id ?? "made up", ...call })),
  error,
  ...(error === undefined ? { finish } : undefined),
  ...(usage === undefined ? undefined : { usage })
})

/** In the words of the table; ids that it does not say must be there, and differ. */
const toAnswer = (summary: ChatSummary, { calls: wanted = [], error, usage }: ExpectedAnswer) => {
  const ids = summary.calls.map((call) => call["id"])
  expect(new Set(ids).size).toBe(ids.length)
  return {
    text: summary.content,
    thinking: summary.reasoning,
    calls: summary.calls.map(({ arguments: given, id, name }, at) => ({
      id:
        wanted[at]?.id === undefined && typeof id === "string" && id !== "" && id !== "undefined"
          ? "made up"
          : id,
      name,
      arguments: given === "" ? {} : (JSON.parse(String(given)) as unknown)
    })),
    error: summary.error?.code,
    ...(error === undefined ? { finish: summary.finish } : undefined),
    ...(usage === undefined
      ? undefined
      : {
          usage: {
            prompt: getProperty(summary.usage, "prompt_tokens"),
            completion: getProperty(summary.usage, "completion_tokens")
          }
        })
  }
}

/** Clients put the pieces of calls together by their indices, and some count on 0, 1 and so on. */
const checkIndices = (text: string): void => {
  const idsByIndex: Array<unknown> = []
  for (const event of parseChatEvents(text).chunks) {
    const choices = getProperty(event, "choices")
    const delta = getProperty(Array.isArray(choices) ? choices[0] : undefined, "delta")
    const calls = getProperty(delta, "tool_calls")
    for (const call of Array.isArray(calls) ? calls : []) {
      const index = Number(getProperty(call, "index"))
      const id = getProperty(call, "id")
      if (index === idsByIndex.length) idsByIndex.push(id)
      else expect(index).toBe(idsByIndex.length - 1)
      if (id !== undefined) expect(id).toBe(idsByIndex[index])
      expect(typeof getProperty(getProperty(call, "function"), "arguments")).toBe("string")
    }
  }
}
