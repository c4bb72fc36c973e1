/** A terminal coding agent that speaks the Messages API does its work on real files, at providers of each API. */
import { parameterLists } from "@signalbox/anthropic"
import { fault, reply, ScriptedUpstream } from "@signalbox/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import { makeDialectUpstream } from "../../dialects/makeDialectUpstream.ts"
import { decisionMethods } from "../../support/decisionMethods.ts"
import { getProperty } from "../../support/getProperty.ts"
import type { Host } from "../../support/hosts.ts"
import { pickHosts } from "../../support/pickHosts.ts"
import { keys, TestServer } from "../../support/TestServer.ts"
import { listToolResults } from "../listToolResults.ts"
import { type ClientDialect, clientDialects } from "../startClientServer.ts"
import { AgentFolder, editedText, originalText } from "./AgentFolder.ts"
import { lastText, plainSteps } from "./agentSteps.ts"
import { agentBetas, MessagesAgent, type MessagesAgentOptions } from "./MessagesAgent.ts"

const task = "Correct the spelling of the greeting."
const results = ["README.md\ngreeting.ts", originalText, "Edited greeting.ts."]

const start = async (
  host: Host,
  dialect: ClientDialect,
  kind: MessagesAgentOptions["credential"]["kind"] = "key"
) => {
  const provider = await ScriptedUpstream.start()
  const options = { slug: "claude", name: "Claude", apiKey: "sk-at-upstream-claude-90c1" }
  const server = await TestServer.start({
    host,
    mount: "/ai",
    method: {
      ...decisionMethods[1]!,
      supportedParameters: parameterLists.claudeBefore47
    },
    extraUpstreams: [makeDialectUpstream(dialect, provider.url, options)]
  })
  const folder = new AgentFolder()
  onTestFinished(async () => {
    await server[Symbol.asyncDispose]()
    await provider.close()
    folder[Symbol.dispose]()
  })
  const agent = new MessagesAgent({
    base: `${server.root}/api`,
    credential: { kind, value: keys.member },
    model: "proof/claude",
    folder
  })
  return { agent, folder, provider }
}

describe.each(pickHosts(import.meta.filename))("an agent, through $name", (host) => {
  describe.each(clientDialects)("to a provider of %s", (dialect) => {
    test("reads files, edits one and answers", async () => {
      const { agent, folder, provider } = await start(host, dialect)
      provider.script(...plainSteps)
      expect(await agent.run(task)).toBe(lastText)
      expect(folder.text).toBe(editedText)
      expect(agent.unstreamed).toBe(0)
      expect(provider.requests).toHaveLength(3)
      const last = provider.requests[2]
      expect(listToolResults(dialect, last?.body)).toEqual(results)
      // Instructions are said where they were, also in the middle.
      const raw = last?.raw ?? ""
      expect(raw.indexOf("You are an agent")).toBeLessThan(raw.indexOf(task))
      expect(raw.indexOf(task)).toBeLessThan(raw.indexOf("The user runs Linux."))
      expect(raw.indexOf("The user runs Linux.")).toBeLessThan(raw.indexOf("README.md"))
    })

    test("asks again without a stream when one breaks", async () => {
      const { agent, folder, provider } = await start(host, dialect)
      const [first, second, third] = plainSteps
      provider.script(first, fault.errorEvent(502, ["Now I "]), second, third)
      expect(await agent.run(task)).toBe(lastText)
      expect(folder.text).toBe(editedText)
      expect(agent.unstreamed).toBe(1)
      expect(provider.requests.map(({ body }) => getProperty(body, "stream") === true)).toEqual([
        true,
        true,
        false,
        true
      ])
    })

    test("asks with a larger cap for an answer that was cut off", async () => {
      const { agent, provider } = await start(host, dialect)
      provider.script(reply.chat("The greeting", { finishReason: "length" }), reply.chat(lastText))
      expect(await agent.run(task)).toBe(lastText)
      const caps = provider.requests.map(({ raw }) => /(?:32|64|128)000/.exec(raw)?.[0])
      expect(caps).toEqual(["32000", "64000"])
    })
  })

  test("finds the address, models and sizes of prompts", async () => {
    const { agent, provider } = await start(host, "chat")
    expect(await agent.greet()).toBeLessThan(500)
    expect(await agent.listModels()).toEqual([{ id: "proof/claude", name: expect.any(String) }])
    const count = await agent.countTokens(task)
    expect(count).toBeGreaterThan(100)
    expect(await agent.countTokens(task.repeat(100))).toBeGreaterThan(count + 500)
    expect(provider.requests).toEqual([])
  })

  test.each(["token", "helper"] as const)("signs in with a %s", async (kind) => {
    const { agent, provider } = await start(host, "messages", kind)
    provider.script(reply.chat(lastText))
    expect(await agent.run(task)).toBe(lastText)
  })

  test("reaches Anthropic's API with all that it says", async () => {
    const { agent, provider } = await start(host, "messages")
    provider.script(...plainSteps)
    await agent.run(task)
    const [first, , last] = provider.requests
    expect(first?.headers["anthropic-beta"]).toBe(agentBetas)
    expect(first?.body).toMatchObject({
      thinking: { type: "adaptive" },
      output_config: { effort: "high" },
      context_management: { edits: [{ type: "clear_thinking_20251015" }] },
      system: [{ text: "x-agent: version=2.1" }, { cache_control: { type: "ephemeral" } }],
      messages: [{ role: "user" }, { role: "system" }],
      tools: [{ input_schema: { $schema: expect.any(String) } }, {}, {}]
    })
    // Thinking comes back unchanged, and calls with all that the agent says of them.
    expect(last?.raw).toContain('"signature":"c2lnbmVkLWJ5LXRoZS1zY3JpcHQ="')
    expect(last?.raw).toContain('"caller":{"type":"direct"}')
  })

  test("tells other providers nothing that only Anthropic knows", async () => {
    const { agent, provider } = await start(host, "chat")
    provider.script(...plainSteps)
    await agent.run(task)
    const last = provider.requests[2]
    expect(last?.headers["anthropic-beta"]).toBeUndefined()
    expect(last?.raw).not.toMatch(/context_management|caller|device_id/)
  })
})
