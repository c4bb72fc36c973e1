/** What every client of a chat API must be able to do with an instance. */
import { fault, pace, reply, type Step } from "@signalbox/testing"
import { expect } from "vitest"
import * as z from "zod"
import { pickSample } from "../../vitest.scope.ts"
import { findCredits } from "../support/findCredits.ts"
import { keys } from "../support/TestServer.ts"
import type { Asking, ChatClient, ClientReply } from "./ChatClient.ts"
import { listToolResults } from "./listToolResults.ts"
import { type ClientDialect, cost, type startClientServer, usage } from "./startClientServer.ts"
import { loopInputs, loopResults, makeLoopSteps, makeLoopTools } from "./toolLoop.ts"

export type Form = "whole" | "streamed"

interface Setup extends Awaited<ReturnType<typeof startClientServer>> {
  readonly client: ChatClient
  readonly form: Form
  /** Asks in the form of the setup; the pieces are the stream's so far. */
  readonly ask: (changes?: Partial<Asking>) => {
    readonly pieces: ReadonlyArray<string>
    readonly answer: Promise<ClientReply>
    /** Waits until the pieces are this text. */
    readonly hasText: (text: string) => Promise<void>
  }
}

interface ChatScenario {
  readonly name: string
  /** Default: both. */
  readonly form?: Form
  /** Default: any. */
  readonly appliesTo?: (client: ChatClient) => boolean
  readonly run: (setup: Setup) => Promise<void>
}

const pieces = ["It ", "is ", "calm."]
const calm = reply.chat(pieces, { usage })

const toCalmReply = ({ client, form }: Setup) => ({
  text: pieces.join(""),
  inputTokens:
    form === "streamed" && client.readsInputTokensAtStart === true
      ? expect.any(Number)
      : usage.inputTokens,
  outputTokens: usage.outputTokens
})

/** How providers sign their reasoning; providers of the dialect chat do not sign. */
const scriptedSignatures: Readonly<Record<ClientDialect, string | undefined>> = {
  chat: undefined,
  messages: "c2lnbmVkLWJ5LXRoZS1zY3JpcHQ=",
  responses: "c2VhbGVkLWJ5LXRoZS1zY3JpcHQ="
}

/** Waits until nothing is reserved, and resolves to what was paid. */
const settle = async ({ server: { instance } }: Setup): Promise<bigint | undefined> => {
  await expect.poll(() => findCredits(instance)).toMatchObject({ reserved: 0n })
  return (await findCredits(instance)).settled
}

const catchError = (answer: Promise<unknown>): Promise<unknown> =>
  answer.then(
    () => undefined,
    (error: unknown) => error
  )

const answers: ReadonlyArray<ChatScenario> = [
  {
    name: "gets an answer",
    form: "whole",
    run: async (setup) => {
      setup.first.script(calm)
      expect(await setup.ask().answer).toEqual(toCalmReply(setup))
      expect(await settle(setup)).toBe(cost.first)
    }
  },
  {
    name: "gets each piece when the provider sends it",
    form: "streamed",
    run: async (setup) => {
      const gate = setup.first.gate()
      setup.first.script(reply.chat(["It ", "is ", gate, "calm."], { usage }))
      const asked = setup.ask()
      await Promise.race([asked.hasText("It is "), asked.answer])
      gate.open()
      expect(await asked.answer).toEqual(toCalmReply(setup))
      expect(asked.pieces.filter((piece) => piece !== "")).toEqual(pieces)
      expect(await settle(setup)).toBe(cost.first)
    }
  },
  {
    name: "calls tools until the model answers",
    run: async (setup) => {
      const { ask, client, dialect, first } = setup
      first.script(...makeLoopSteps(dialect, usage))
      const { inputs, tools } = makeLoopTools()
      expect(await ask({ tools }).answer).toEqual(toCalmReply(setup))
      expect(inputs).toEqual(loopInputs)
      expect(first.requests).toHaveLength(3)
      expect(listToolResults(dialect, first.requests[2]?.body)).toEqual(
        loopResults.map(client.encodeResult ?? ((result) => result))
      )
      const last = first.requests[2]?.raw ?? ""
      expect(last).toContain("Let me look. ")
      const signature = scriptedSignatures[dialect]
      if (signature !== undefined) expect(last.includes(signature)).toBe(client.returnsReasoning)
      expect(await settle(setup)).toBe(3n * cost.first)
    }
  },
  {
    name: "gets an object of a schema",
    form: "whole",
    appliesTo: ({ extract }) => extract !== undefined,
    run: async (setup) => {
      const { asking, client, first } = setup
      const schema = z.object({ place: z.string(), waves: z.number() })
      const weather = { place: "the harbour", waves: 2 }
      const json = JSON.stringify(weather)
      const { extractTool: name } = client
      first.script(
        name === undefined
          ? reply.chat(json, { usage })
          : reply.chat([], { toolCalls: [{ id: "toolu_01", name, arguments: json }], usage })
      )
      expect(await client.extract?.(asking, schema)).toEqual(weather)
      expect(first.requests[0]?.raw).toContain('"waves"')
      expect(await settle(setup)).toBe(cost.first)
    }
  }
]

const ends: ReadonlyArray<ChatScenario> = [
  {
    name: "gets what there is of an answer that the cap cut off",
    run: async (setup) => {
      setup.first.script(reply.chat(["It ", "is "], { finishReason: "length", usage }))
      expect(await setup.ask().answer).toMatchObject({ text: "It is " })
      expect(await settle(setup)).toBe(cost.first)
    }
  },
  {
    name: "gets an empty answer if a filter refuses",
    run: async ({ ask, first, server }) => {
      first.script(fault.refusal("filter"))
      expect(await ask().answer).toMatchObject({ text: "" })
      expect(server.calls).toEqual({ first: 1, second: 0 })
    }
  }
]

const aborts: ReadonlyArray<ChatScenario> = [
  {
    name: "aborts the call of the provider when it is aborted",
    run: async (setup) => {
      const { ask, first, form, server } = setup
      const whole = pace.hold(first.gate())
      first.script(form === "whole" ? whole : reply.chat(["It ", "is ", first.gate(), "calm."]))
      const controller = new AbortController()
      const asked = ask({ signal: controller.signal })
      const begun = form === "whole" ? first.waitForRequests(1) : asked.hasText("It is ")
      await Promise.race([begun, asked.answer])
      controller.abort()
      expect(await catchError(asked.answer)).toBeInstanceOf(Error)
      await first.waitForAborts(1)
      // What the provider has sent is paid for.
      expect(await settle(setup)).toBeGreaterThan(form === "whole" ? -1n : 0n)
      expect(server.calls).toEqual({ first: 1, second: 0 })
    }
  }
]

interface Failure {
  readonly name: string
  readonly step: Step
}

const earlyFailures: ReadonlyArray<Failure> = [
  { name: "is overloaded", step: fault.status(529) },
  { name: "refuses the credential", step: fault.status(401) },
  { name: "disconnects before the first piece", step: fault.drop("response_headers", calm) }
]
const lateFailures: ReadonlyArray<Failure> = [
  { name: "fails", step: fault.errorEvent(502, ["It ", "is "]) },
  {
    name: "disconnects",
    step: fault.drop("response_body", reply.chat(["It ", "is ", 20, "calm.", "never"]))
  }
]

interface StatusError {
  readonly name: string
  readonly status: number
  /** A part of the message. */
  readonly text: string
  readonly changes?: Partial<Asking>
  /** What all providers do; default: they are not asked. */
  readonly step?: Step
}

const statusErrors: ReadonlyArray<StatusError> = [
  { name: "a wrong key", changes: { apiKey: "sk-wrong" }, status: 401, text: "key" },
  {
    name: "a key that cannot run models",
    changes: { apiKey: keys.management },
    status: 403,
    text: "key"
  },
  {
    name: "a rate limit of all providers",
    step: fault.status(429),
    status: 429,
    text: "Too Many Requests"
  },
  {
    name: "an overload of all providers",
    step: fault.status(529),
    status: 503,
    text: "Overloaded"
  },
  {
    name: "a request that the provider refuses",
    step: fault.status(400, { message: "the sea is too rough" }),
    status: 400,
    text: "the sea is too rough"
  }
]

const failures: ReadonlyArray<ChatScenario> = [
  ...earlyFailures.map(({ name, step }): ChatScenario => ({
    name: `gets the answer of the second provider if the first ${name}`,
    run: async (setup) => {
      const { ask, first, second, server } = setup
      first.script(step)
      second.script(calm)
      expect(await ask().answer).toEqual(toCalmReply(setup))
      expect(server.calls).toEqual({ first: 1, second: 1 })
      expect(await settle(setup)).toBe(cost.second)
    }
  })),
  ...lateFailures.map(({ name, step }): ChatScenario => ({
    name: `throws its own error if a provider ${name} after some pieces`,
    form: "streamed",
    run: async (setup) => {
      const { ask, client, first, server } = setup
      first.script(step)
      const { answer, pieces: received } = ask()
      const error = await catchError(answer)
      if (client.overlooksStreamErrors === true) expect(error).toBeUndefined()
      else expect(error).toSatisfy(client.isStreamError)
      expect(received.join("")).toBe("It is ")
      expect(server.calls).toEqual({ first: 1, second: 0 })
      await settle(setup)
    }
  })),
  ...pickSample(statusErrors, 3).map(({ changes, name, status, step, text }): ChatScenario => ({
    name: `throws its own error for ${name}`,
    appliesTo: ({ isInProcess }) => isInProcess !== true || changes?.apiKey === undefined,
    run: async ({ ask, client, first, second }) => {
      if (step !== undefined) for (const each of [first, second]) each.always(step)
      const error = await catchError(ask(changes).answer)
      expect(error).toSatisfy((each) => client.isStatusError(each, status))
      expect(String(error)).toMatch(text)
    }
  }))
]

export const chatScenarios = [...answers, ...ends, ...aborts, ...failures]
